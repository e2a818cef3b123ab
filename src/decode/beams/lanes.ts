/**
 * The model's sessions of the live beams.
 *
 * A beam goes on in the session that holds its parent. A second continuation of one parent gets a copy of that session
 * where the engine can copy (`fork`), else the session that shares the longest beginning with it, cut back to that, or a
 * new one: what is missing is computed again. Where the model says that its sessions may run at once, all beams are computed
 * together, so that an engine can make a batch of them, else one after another.
 */
import type { LanguageModel, ModelSession } from '../../model/language-model.js';
import { logitsAfter } from '../catch-up.js';
import { sharedLength } from '../shared-length.js';
import type { Hypothesis } from './hypothesis.js';

interface Lane {
  readonly session: ModelSession;
  /** What the session holds, the begin token included. */
  ids: readonly number[];
}

export class Lanes {
  readonly #model: LanguageModel;
  readonly #start: readonly number[];
  #lanes: Lane[] = [];

  /** `prompt`: ids without the begin token. */
  constructor(model: LanguageModel, prompt: readonly number[]) {
    this.#model = model;
    this.#start = model.beginId === undefined ? [...prompt] : [model.beginId, ...prompt];
  }

  /** The logits behind each of `beams`, f32[V], valid until the next call. */
  async logits(
    beams: readonly Hypothesis[],
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<Hypothesis, Float32Array>> {
    const wanted = beams.map((beam) => [...this.#start, ...beam.ids]);
    const lanes = await this.#assign(wanted);
    const runs = lanes.map((lane, i) => () => this.#run(lane, wanted[i] as number[], signal));
    const logits = await (this.#model.sessionsRunAtOnce === true ? together(runs) : inTurn(runs));
    return new Map(beams.map((beam, i) => [beam, logits[i] as Float32Array]));
  }

  async close(): Promise<void> {
    for (const { session } of this.#lanes) await session.close?.();
  }

  /** A lane for each of `wanted`; the others stay for later, or are closed where sessions can be copied. */
  async #assign(wanted: readonly (readonly number[])[]): Promise<Lane[]> {
    const free = new Set(this.#lanes);
    const lanes = wanted.map((ids) => take(free, (lane) => lane.ids.length + 1 === ids.length && isPrefix(lane, ids)));
    for (const [i, ids] of wanted.entries()) lanes[i] ??= await this.#another(ids, free);
    const assigned = lanes as Lane[];
    const spare = [...free];
    this.#lanes = [...assigned, ...spare];
    if (spare.some((lane) => lane.session.fork !== undefined)) {
      this.#lanes = assigned;
      for (const { session } of spare) await session.close?.();
    }
    return assigned;
  }

  /** A lane for `ids` where their parent's is taken. */
  async #another(ids: readonly number[], free: Set<Lane>): Promise<Lane> {
    const nearest = longest([...this.#lanes], ids);
    if (nearest?.session.fork !== undefined) return { session: await nearest.session.fork(), ids: nearest.ids };
    const lane = longest([...free], ids) ?? { session: await this.#model.open(), ids: [] };
    free.delete(lane);
    return lane;
  }

  async #run(lane: Lane, ids: readonly number[], signal: AbortSignal | undefined): Promise<Float32Array> {
    const { session } = lane;
    const shared = sharedLength(lane.ids, ids); // less than all of `ids`: no lane held as many before
    if (session.length > shared) await session.truncate(shared);
    const logits = await logitsAfter(session, ids, signal);
    lane.ids = ids;
    return logits;
  }
}

/** What all `runs` give, begun at once; the first error, once none is under way any more. */
async function together<T>(runs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const settled = await Promise.allSettled(runs.map((run) => run()));
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/** What all `runs` give, one after another. */
async function inTurn<T>(runs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const values: T[] = [];
  for (const run of runs) values.push(await run());
  return values;
}

/** Takes the first lane that fits out of `free`. */
function take(free: Set<Lane>, fits: (lane: Lane) => boolean): Lane | undefined {
  for (const lane of free) {
    if (!fits(lane)) continue;
    free.delete(lane);
    return lane;
  }
  return undefined;
}

function isPrefix(lane: Lane, ids: readonly number[]): boolean {
  return sharedLength(lane.ids, ids) === lane.ids.length;
}

/** The lane that shares the longest beginning with `ids`. */
function longest(lanes: readonly Lane[], ids: readonly number[]): Lane | undefined {
  let best: Lane | undefined;
  for (const lane of lanes) {
    if (best === undefined || sharedLength(lane.ids, ids) > sharedLength(best.ids, ids)) best = lane;
  }
  return best;
}
