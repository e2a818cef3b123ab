/**
 * Grammars in a container.
 */
import { ContainerModule } from 'inversify';
import { type GrammarSteps, TOKENS } from '../../processors/tokens.js';
import { InvalidValueError } from '../errors.js';
import { hasFunction } from '../kinds.js';

/**
 * Gives the step `grammar` these grammars in every request of a container. A request has others with the option `grammars`,
 * and then needs no container.
 */
export function grammarModule(grammars: GrammarSteps): ContainerModule {
  if (!hasFunction(grammars, 'step')) {
    throw new InvalidValueError('grammarModule', 'grammars', 'what `createGrammars` gives', grammars);
  }
  return new ContainerModule(({ bind, isBound, rebind }) => {
    const syntax = isBound(TOKENS.grammars) ? rebind(TOKENS.grammars) : bind(TOKENS.grammars);
    syntax.toConstantValue(grammars);
  });
}
