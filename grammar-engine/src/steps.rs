//! How much one call may do, counted in the memory that it asks for: the engine's own limits leave parts of the work out.
//!
//! Each piece of memory is a step, a large one more. The same calls ask for the same memory on every machine. Where a call
//! has no steps left it ends in a trap, and the instance with it.
use crate::room;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

/// Bytes beyond which a piece of memory is more than one step.
const BYTES: usize = 1024;

/// What one thread may hold without locks.
struct Steps(Cell<usize>);
unsafe impl Sync for Steps {}

static LEFT: Steps = Steps(Cell::new(usize::MAX));

/// The steps of the calls from now on.
pub fn allow(steps: usize) {
    LEFT.0.set(steps)
}

pub fn left() -> usize {
    LEFT.0.get()
}

fn take(bytes: usize) {
    let steps = 1 + bytes / BYTES;
    if steps > LEFT.0.get() {
        LEFT.0.set(0);
        std::process::abort();
    }
    LEFT.0.set(LEFT.0.get() - steps);
}

/// `at`, where the piece of memory is, with room for the next ones.
fn made(at: *mut u8) -> *mut u8 {
    room::make();
    at
}

struct Counted;

unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        made(System.alloc(layout))
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        made(System.alloc_zeroed(layout))
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        take(size);
        made(System.realloc(at, layout, size))
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        System.dealloc(at, layout)
    }
}

#[global_allocator]
static MEMORY: Counted = Counted;
