/**
 * What is wrong with what came of the ways to the engine, as lines.
 */
import { isDeepStrictEqual } from 'node:util';

const REFUSAL = 'createGrammars: `module` must be compiled, which is not allowed here';

/** Of a place where WebAssembly may run: every way leads to the same ids and masks, and nothing was loaded before its time. */
export function faultsOf({ error, token, outcomes, loaded, violations = [] }, expected) {
  if (error !== undefined) return [error];
  return [
    ...differing({ token }, (one) => isDeepStrictEqual(one, expected.token)),
    ...differing(outcomes, (outcome) => isDeepStrictEqual(outcome, expected.outcome)),
    ...violations.map((violation) => `a violation of the policy: ${violation}`),
    ...loaded.withoutGrammars
      .filter((path) => /grammar|\.wasm$/.test(path))
      .map((path) => `${path} without need of it`),
    ...loaded.withoutEngine.filter((path) => path.endsWith('.wasm')).map((path) => `${path} before its time`),
  ];
}

/**
 * Of a page whose policy does not let WebAssembly run: an error says so, on every way that is ours, and tokens are the same.
 */
export function faultsOfRefusals({ error, token, outcomes, violations }, expected) {
  if (error !== undefined) return [error];
  const { module, ...ours } = outcomes;
  return [
    ...differing({ token }, (one) => isDeepStrictEqual(one, expected.token)),
    ...differing(ours, ({ error, message }) => error === 'InvalidValueError' && message.startsWith(REFUSAL)),
    ...differing({ module }, ({ error }) => error === 'CompileError'), // the page's own
    ...violations.filter((violation) => !violation.includes('wasm-eval')).map((violation) => `also ${violation}`),
  ];
}

function differing(outcomes, isRight) {
  const wrong = Object.entries(outcomes).filter(([, outcome]) => !isRight(outcome));
  return wrong.map(([name, outcome]) => `by ${name}: ${JSON.stringify(outcome)}`);
}
