/**
 * How many random cases a test tries: `usual` ones in `npm test`, `all` of them where LONG_RUN is set, as
 * `npm run long-run` does.
 */
export function casesOf(usual: number, all: number): number {
  return process.env.LONG_RUN === undefined ? usual : all;
}
