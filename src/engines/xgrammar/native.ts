/**
 * What is used of @mlc-ai/web-xgrammar 0.1.27: its public classes, and the synchronous objects below them.
 */

/** An object of the library's WebAssembly; freed by `delete`. */
export interface NativeHandle {
  delete(): void;
}

/** A std::vector of 32-bit integers, with Emscripten's record of where it lies. */
export interface NativeWords extends NativeHandle {
  readonly $$: {
    /** Where begin, end and capacity of the vector are. */
    readonly ptr: number;
    readonly ptrType: { readonly readValueFromPointer: (this: object, address: number) => number };
  };
}

export interface NativeGrammar extends NativeHandle {
  ToString(): string;
}

export interface NativeMatcher extends NativeHandle {
  AcceptToken(id: number, verbose: boolean): boolean;
  GetNextTokenBitmask(vocabSize: number): NativeWords;
  Rollback(count: number): void;
  Reset(): void;
}

export interface NativeCompiler extends NativeHandle {
  CompileGrammar(grammar: NativeHandle): NativeHandle;
}

/** The classes that the handles belong to. */
export interface NativeClasses {
  readonly Grammar: { FromEBNF(text: string, root: string): NativeGrammar };
  readonly Matcher: new (
    grammar: NativeHandle,
    stopIds: undefined,
    endsWithoutStop: boolean,
    mostRollback: number,
  ) => NativeMatcher;
}

interface Disposable {
  dispose(): void;
}

interface CompiledGrammar extends Disposable {
  readonly handle: NativeHandle;
  grammar(): Disposable & { readonly handle: NativeGrammar };
}

interface Compiler extends Disposable {
  readonly handle: NativeCompiler;
  compileGrammar(ebnf: string): Promise<CompiledGrammar>;
}

interface TokenizerInfo extends Disposable {
  readonly handle: NativeHandle;
}

/** Private in the library's own declarations. */
export interface PublicMatcher extends Disposable {
  readonly handle?: NativeMatcher;
  getNextTokenBitmask(): Promise<Int32Array>;
}

/** The module @mlc-ai/web-xgrammar, as far as it is used. */
export interface XGrammarModule {
  readonly TokenizerInfo: {
    createTokenizerInfo(
      vocabulary: string[],
      type: string,
      prependSpace: boolean,
      vocabSize: number,
      stopIds: number[],
    ): Promise<TokenizerInfo>;
  };
  readonly GrammarCompiler: { createGrammarCompiler(tokens: unknown, isCaching: boolean): Promise<Compiler> };
  readonly GrammarMatcher: { createGrammarMatcher(grammar: unknown): Promise<PublicMatcher> };
}
