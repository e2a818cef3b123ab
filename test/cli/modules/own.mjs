/** A module as a user writes it: a filter, a step that needs the tokenizer, and a source of uniforms that is always 0. */
import { ContainerModule } from 'inversify';
import { createContainer, PARTS, processorModule } from 'lockstep/container';
import { Processor, processor, share, TOKENS } from 'lockstep/processors';
import { z } from 'zod';

class TopA extends Processor {
  process(candidates) {
    candidates.keepLikely(this.options.a * candidates.maxProbability());
  }
}
processor({ name: 'top-a', options: z.strictObject({ a: share() }), stage: 'policy' })(TopA);

/** Keeps the ids that begin with a letter. */
class Begins extends Processor {
  constructor(options, tokenizer) {
    super(options);
    this.tokenizer = tokenizer;
  }

  process(candidates) {
    const letter = this.options.letter.charCodeAt(0);
    candidates.keepIds((id) => this.tokenizer.tokenBytes(id)[0] === letter);
  }
}
const begins = { name: 'begins', options: z.strictObject({ letter: z.string() }), stage: 'scores' };
processor({ ...begins, inject: [TOKENS.tokenizer] })(Begins);

const uniforms = new ContainerModule(({ rebind }) => {
  rebind(PARTS.uniforms).toConstantValue(() => ({ uniform: () => 0 }));
});

export const container = createContainer(processorModule(TopA, Begins), uniforms);
