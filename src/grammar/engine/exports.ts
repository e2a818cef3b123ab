/**
 * What the engine's WebAssembly exports: see grammar-engine/src/lib.rs. Pointers and lengths are numbers of bytes.
 */
export interface EngineExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** What the calls from now on may do together, in steps; how many of them are left, 0 where a call ended for lack of them. */
  steps_allow(steps: number): void;
  steps_left(): number;
  allocate(length: number): number;
  release(at: number, length: number): void;
  /** The buffer of texts and bytes: errors, warnings, forced bytes. */
  text_at(): number;
  text_length(): number;
  builder_new(vocabSize: number): number;
  builder_add(builder: number, lengths: number, count: number, bytes: number): void;
  builder_trie(builder: number, ends: number, count: number): void;
  builder_finish(builder: number): number;
  vocabulary_limit(vocabulary: number, which: number, value: number): void;
  /** The warnings are in the text buffer then, one a line. */
  matcher_new(vocabulary: number, kind: number, at: number, length: number): number;
  matcher_clone(matcher: number): number;
  matcher_free(matcher: number): void;
  matcher_mask(matcher: number): number;
  matcher_advance(matcher: number, id: number): number;
  matcher_rollback(matcher: number, count: number): number;
  matcher_accepting(matcher: number): number;
  matcher_forced(matcher: number): number;
  closing_new(vocabulary: number, kind: number, at: number, length: number): number;
  closing_free(closing: number): void;
  closing_advance(closing: number, id: number): number;
  closing_rollback(closing: number, count: number): number;
  closing_plan(closing: number, steps: number): number;
  closing_mask(closing: number, left: number, steps: number, stepsTogether: number): number;
}
