/**
 * Memory of the WebAssembly is not the engine's to collect: it is freed by `dispose`, or at the latest when whoever held it
 * is collected.
 */
import type { NativeHandle } from './native.js';

const registry = new FinalizationRegistry<NativeHandle>((handle) => handle.delete());

/** From now on `handle` is freed when `owner` is collected. */
export function hold(owner: object, handle: NativeHandle): void {
  registry.register(owner, handle, owner);
}

/** Frees `handle` now. */
export function release(owner: object, handle: NativeHandle): void {
  registry.unregister(owner);
  handle.delete();
}
