//! The engine of `lockstep/grammar`: llguidance behind a C interface for JavaScript.
//!
//! Every function that takes a pointer takes one that this module gave. One thread, no imports: the clock stands still and
//! chance is a constant, so that the same calls give the same bytes on every machine.
//! Answers that are text or bytes lie in one buffer until the next call that fills it.
#![allow(clippy::missing_safety_doc)]

mod closing;
mod matcher;
mod platform;
mod room;
mod steps;
mod vocabulary;

use closing::Closing;
use matcher::Matcher;
use std::cell::UnsafeCell;
use vocabulary::{Builder, Vocabulary};

/// What one thread may hold without locks.
struct Held<T>(UnsafeCell<T>);
unsafe impl<T> Sync for Held<T> {}

static TEXT: Held<Vec<u8>> = Held(UnsafeCell::new(Vec::new()));

fn say(text: impl Into<Vec<u8>>) {
    unsafe { *TEXT.0.get() = text.into() }
}

/// The pointer to what went well; 0 and the reason in the text buffer otherwise.
fn boxed<T>(made: anyhow::Result<T>) -> *mut T {
    match made {
        Ok(value) => Box::into_raw(Box::new(value)),
        Err(error) => {
            say(format!("{error:#}"));
            std::ptr::null_mut()
        }
    }
}

/// The number of what went well; -1 and the reason in the text buffer otherwise.
fn number(done: anyhow::Result<usize>) -> i32 {
    match done {
        Ok(value) => value as i32,
        Err(error) => {
            say(format!("{error:#}"));
            -1
        }
    }
}

unsafe fn text<'a>(at: *const u8, length: usize) -> &'a str {
    std::str::from_utf8_unchecked(std::slice::from_raw_parts(at, length))
}

/// What the calls from now on may do together, in steps.
#[no_mangle]
pub extern "C" fn steps_allow(steps: usize) {
    steps::allow(steps)
}

/// 0 where a call ended for lack of steps.
#[no_mangle]
pub extern "C" fn steps_left() -> usize {
    steps::left()
}

#[no_mangle]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    // words of 8 bytes, so that ids may lie there too
    Box::into_raw(vec![0u64; length.div_ceil(8).max(1)].into_boxed_slice()) as *mut u8
}

#[no_mangle]
pub unsafe extern "C" fn release(at: *mut u8, length: usize) {
    let words = std::ptr::slice_from_raw_parts_mut(at as *mut u64, length.div_ceil(8).max(1));
    drop(Box::from_raw(words));
}

#[no_mangle]
pub unsafe extern "C" fn text_at() -> *const u8 {
    (*TEXT.0.get()).as_ptr()
}

#[no_mangle]
pub unsafe extern "C" fn text_length() -> usize {
    (*TEXT.0.get()).len()
}

#[no_mangle]
pub extern "C" fn builder_new(vocab_size: usize) -> *mut Builder {
    boxed(Ok(Builder::new(vocab_size)))
}

/// Adds the next `count` tokens: their lengths, and their bytes one after the other.
#[no_mangle]
pub unsafe extern "C" fn builder_add(builder: *mut Builder, lengths: *const u32, count: usize, bytes: *const u8) {
    (*builder).add(std::slice::from_raw_parts(lengths, count), bytes)
}

#[no_mangle]
pub unsafe extern "C" fn builder_trie(builder: *mut Builder, ends: *const u32, count: usize) {
    (*builder).build_trie(std::slice::from_raw_parts(ends, count))
}

/// Takes the builder, which is gone afterwards.
#[no_mangle]
pub unsafe extern "C" fn builder_finish(builder: *mut Builder) -> *mut Vocabulary {
    boxed(Box::from_raw(builder).finish())
}

#[no_mangle]
pub unsafe extern "C" fn vocabulary_limit(vocabulary: *mut Vocabulary, which: u32, value: u32) {
    (*vocabulary).limit(which, value as usize)
}

/// Kind 0 is a JSON schema, 1 a Lark grammar. Warnings are in the text buffer. The first mask is there already.
#[no_mangle]
pub unsafe extern "C" fn matcher_new(
    vocabulary: *const Vocabulary,
    kind: u32,
    at: *const u8,
    length: usize,
) -> *mut Matcher {
    let made = Matcher::new(&(*vocabulary).factory, kind, text(at, length));
    if let Ok((_, warnings)) = &made {
        say(warnings.join("\n"));
    }
    boxed(made.map(|(matcher, _)| matcher))
}

#[no_mangle]
pub unsafe extern "C" fn matcher_clone(matcher: *const Matcher) -> *mut Matcher {
    boxed(Ok((*matcher).deep_clone()))
}

#[no_mangle]
pub unsafe extern "C" fn matcher_free(matcher: *mut Matcher) {
    drop(Box::from_raw(matcher))
}

/// Where the words of the mask lie until the next call for this matcher; 0 where it cannot go on.
#[no_mangle]
pub unsafe extern "C" fn matcher_mask(matcher: *mut Matcher) -> *const u32 {
    match (*matcher).mask() {
        Ok(mask) => mask.as_ptr(),
        Err(error) => {
            say(format!("{error:#}"));
            std::ptr::null()
        }
    }
}

/// Goes on by an id; whether it was allowed.
#[no_mangle]
pub unsafe extern "C" fn matcher_advance(matcher: *mut Matcher, id: u32) -> i32 {
    number((*matcher).advance(id).map(usize::from))
}

#[no_mangle]
pub unsafe extern "C" fn matcher_rollback(matcher: *mut Matcher, count: usize) -> i32 {
    number((*matcher).rollback(count).map(|()| 0))
}

#[no_mangle]
pub unsafe extern "C" fn matcher_accepting(matcher: *mut Matcher) -> i32 {
    number((*matcher).accepting().map(usize::from))
}

/// The bytes that must come next, in the text buffer; how many.
#[no_mangle]
pub unsafe extern "C" fn matcher_forced(matcher: *const Matcher) -> i32 {
    let bytes = (*matcher).forced();
    let length = bytes.len();
    say(bytes);
    length as i32
}

#[no_mangle]
pub unsafe extern "C" fn closing_new(
    vocabulary: *const Vocabulary,
    kind: u32,
    at: *const u8,
    length: usize,
) -> *mut Closing {
    boxed(Closing::new(&*vocabulary, kind, text(at, length)))
}

#[no_mangle]
pub unsafe extern "C" fn closing_free(closing: *mut Closing) {
    drop(Box::from_raw(closing))
}

#[no_mangle]
pub unsafe extern "C" fn closing_advance(closing: *mut Closing, id: u32) -> i32 {
    number((*closing).advance(id).map(usize::from))
}

#[no_mangle]
pub unsafe extern "C" fn closing_rollback(closing: *mut Closing, count: usize) -> i32 {
    number((*closing).rollback(count).map(|()| 0))
}

/// Ids that complete the text, as words of 32 bits in the text buffer; how many, -2 where none were found within `steps`.
#[no_mangle]
pub unsafe extern "C" fn closing_plan(closing: *mut Closing, steps: usize) -> i32 {
    match (*closing).plan(steps) {
        Ok(None) => -2,
        plan => number(plan.map(|ids| {
            let ids = ids.unwrap_or_default();
            say(ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>());
            ids.len()
        })),
    }
}

/// Where the words lie of the ids after which at most `left` more are known to complete the text; 0 where it cannot go on.
#[no_mangle]
pub unsafe extern "C" fn closing_mask(
    closing: *mut Closing,
    left: usize,
    steps: usize,
    steps_together: usize,
) -> *const u32 {
    match (*closing).mask(left, steps, steps_together) {
        Ok(mask) => mask.as_ptr(),
        Err(error) => {
            say(format!("{error:#}"));
            std::ptr::null()
        }
    }
}
