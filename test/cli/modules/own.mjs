/** A module as a user writes it: a filter, a step that needs the tokenizer, and a source of uniforms that is always 0. */
import { ContainerModule } from 'inversify';
import { createContainer, PARTS, processorModule } from 'lockstep/container';
import { nonNegative, Processor, processor, TOKENS } from 'lockstep/processors';
import { z } from 'zod';

class NearBest extends Processor {
  process(candidates) {
    candidates.keepAtLeast(candidates.maxLogit() - this.options.gap);
  }
}
processor({ name: 'near-best', options: z.strictObject({ gap: nonNegative() }), stage: 'policy' })(NearBest);

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

export const container = createContainer(processorModule(NearBest, Begins), uniforms);
