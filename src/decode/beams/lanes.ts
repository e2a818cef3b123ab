/**
 * The model's sessions of the live beams.
 *
 * A beam goes on in the session that holds its parent. A second continuation of one parent gets a copy of that session
 * where the engine can copy (`fork`), else the session that shares the longest beginning with it, cut back to that, or a
 * new one: what is missing is computed again. Where the model says that its sessions may run at once, all beams are computed
 * together, so that an engine can make a batch of them, else one after another.
 */
import type { LanguageModel, ModelSession } from '../../model/language-model.js';
import { logitsAfter } from '../session/catch-up.js';
import type { IdList } from '../session/id-list.js';
import type { Hypothesis } from './hypothesis.js';

interface Lane {
  readonly session: ModelSession;
  /** The sequence whose ids the session holds behind the prompt; undefined before it holds anything. */
  at: Hypothesis | undefined;
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
    const lanes = await this.#assign(beams);
    const runs = beams.map((beam, i) => () => this.#run(lanes[i] as Lane, beam, signal));
    const logits = await (this.#model.sessionsRunAtOnce === true ? together(runs) : inTurn(runs));
    return new Map(beams.map((beam, i) => [beam, logits[i] as Float32Array]));
  }

  /** Closes all sessions, though one of them may fail to: then its error is thrown. */
  async close(): Promise<void> {
    await this.#drop(this.#lanes);
  }

  /** A lane for each of `beams`; the others stay for later, or are closed where sessions can be copied. */
  async #assign(beams: readonly Hypothesis[]): Promise<Lane[]> {
    const free = new Set(this.#lanes);
    const parents = new Map(this.#lanes.map((lane) => [lane.at, lane]));
    const lanes = beams.map(({ parent }) => (parent === undefined ? undefined : take(free, parents.get(parent))));
    for (const [i, beam] of beams.entries()) lanes[i] ??= await this.#another(beam, parents, free);
    const spare = [...free];
    if (spare.some((lane) => lane.session.fork !== undefined)) await this.#drop(spare);
    return lanes as Lane[];
  }

  /** A lane for `beam` where that of its parent is taken. */
  async #another(beam: Hypothesis, parents: ReadonlyMap<Hypothesis | undefined, Lane>, free: Set<Lane>): Promise<Lane> {
    const nearest = parents.get(beam.parent) ?? longest(this.#lanes, beam);
    if (nearest?.session.fork !== undefined) return this.#add(await nearest.session.fork(), nearest.at);
    return take(free, longest([...free], beam)) ?? this.#add(await this.#model.open(), undefined);
  }

  #add(session: ModelSession, at: Hypothesis | undefined): Lane {
    const lane = { session, at };
    this.#lanes.push(lane);
    return lane;
  }

  async #drop(lanes: readonly Lane[]): Promise<void> {
    const dropped = new Set(lanes);
    this.#lanes = this.#lanes.filter((lane) => !dropped.has(lane));
    const failures: { readonly reason: unknown }[] = [];
    for (const { session } of dropped) {
      try {
        await session.close?.();
      } catch (reason) {
        failures.push({ reason });
      }
    }
    if (failures[0] !== undefined) throw failures[0].reason;
  }

  async #run(lane: Lane, beam: Hypothesis, signal: AbortSignal | undefined): Promise<Float32Array> {
    const { session, at } = lane;
    const shared = at === undefined ? 0 : this.#start.length + at.sharedLength(beam);
    if (session.length > shared) await session.truncate(shared);
    const logits = await logitsAfter(session, behind(this.#start, beam), signal);
    lane.at = beam;
    return logits;
  }
}

/** The ids of `beam` behind those of `start`. */
function behind(start: readonly number[], beam: Hypothesis): IdList {
  const { length } = start;
  const inBeam = (index: number) => Math.max(index - length, 0);
  return {
    length: length + beam.length,
    slice: (from, to) => [...start.slice(from, to), ...beam.slice(inBeam(from), inBeam(to))],
  };
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

/** Takes `lane` out of `free`, where it is there. */
function take(free: Set<Lane>, lane: Lane | undefined): Lane | undefined {
  return lane !== undefined && free.delete(lane) ? lane : undefined;
}

/** The lane that shares the longest beginning with `beam`. */
function longest(lanes: readonly Lane[], beam: Hypothesis): Lane | undefined {
  let best: Lane | undefined;
  let most = -1;
  for (const lane of lanes) {
    const shared = lane.at?.sharedLength(beam) ?? -1;
    if (best !== undefined && shared <= most) continue;
    best = lane;
    most = shared;
  }
  return best;
}
