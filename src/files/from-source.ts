/**
 * Files of the package for a module that runs from its TypeScript source, which lies less deep than what is built.
 */

/** The file at `path` beside the module `moduleUrl`; undefined where that is no source. No bundler sees a file in it. */
export function fromSource(moduleUrl: string | undefined, path: string): URL | undefined {
  return moduleUrl !== undefined && /\.ts(?:[?#]|$)/.test(moduleUrl) ? new URL(path, moduleUrl) : undefined;
}
