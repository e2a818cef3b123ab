//! Room ahead: the memory grows by a sixteenth of itself at least.
//!
//! Left to itself it would grow by 64 KB, some ten times for one large schema, and V8 collects its garbage each time that a
//! memory of tens of megabytes grows.
use std::{
    alloc::{GlobalAlloc, Layout, System},
    arch::wasm32::memory_size,
    cell::Cell,
};

const PAGE: usize = 65536;

/// What one thread may hold without locks.
struct Pages(Cell<usize>);
unsafe impl Sync for Pages {}

/// How large the memory was when it was last looked at.
static SEEN: Pages = Pages(Cell::new(0));

/// Where the memory has grown: lets it grow by more at once, which the next pieces are taken from.
pub fn make() {
    let pages = memory_size(0);
    if pages == SEEN.0.get() {
        return;
    }
    if let Ok(layout) = Layout::from_size_align(pages.div_ceil(16) * PAGE, 8) {
        let at = unsafe { System.alloc(layout) };
        if !at.is_null() {
            unsafe { System.dealloc(at, layout) }
        }
    }
    SEEN.0.set(memory_size(0));
}
