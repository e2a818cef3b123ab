/**
 * The candidates of one token, with the optimizations that processors need not know of.
 *
 * Float32 logits begin as `WideCandidates`: nothing is copied to float64, sorted or summed before it is needed, and
 * a filter hands on a short list. From then on, for what needs a list anyway, and for float64 logits, the candidates are
 * `KeptCandidates`. Both give the same bits; here it is decided which one answers, and every argument is checked.
 *
 * One set serves one token after another, of one request or of several in turn (`CandidateLender`): `load` starts a token,
 * and no array is allocated after the first few.
 */
import type { Candidates, RankedCandidates } from '../../processors/contract.js';
import { InvalidValueError, NothingLeftError } from '../errors.js';
import { checkFunction, checkId, checkName, isList, readable, unreadable } from '../inputs.js';
import { isFloat32Array } from '../kinds.js';
import { checkNumerics, exactNumerics, type Numerics } from '../numerics/numerics.js';
import { checkMask, countBits, type PackedMask, refuseMask } from './bit-mask.js';
import { CandidateViews } from './candidate-views.js';
import { KeptCandidates } from './kept-candidates.js';
import { checkLogit, checkLogits, type Logits, refuseEntry, refuseMasked } from './logits.js';
import { Scores } from './scores.js';
import type { WideCandidates } from './wide-candidates.js';
import { WideSearch } from './wide-search.js';

const OWNER = 'CandidateSet';
/** A mask that allows fewer than one in so many makes a list. */
const SPARSE = 8;

export class CandidateSet implements Candidates {
  readonly numerics: Numerics;
  readonly #kept: KeptCandidates;
  readonly #scores: Scores;
  readonly #views: CandidateViews;
  #search: WideSearch | undefined;
  /** Whether the whole vocabulary answers. */
  #isWide = false;
  /** Whether the scores hold the whole vocabulary, whose edits must then not change. */
  #isTapped = false;
  #vocabSize = 0;
  #settled: number | undefined;
  /** Lists of what was marked, of this token or for the next one. */
  readonly #marks = new Map<number, KeptCandidates>();
  readonly #marked = new Set<number>();
  /** The edit under way that asks a function of the step's. */
  #asks: string | undefined;

  constructor(numerics: Numerics = exactNumerics) {
    checkNumerics(OWNER, 'numerics', numerics);
    this.numerics = numerics;
    this.#kept = new KeptCandidates(numerics);
    this.#scores = new Scores(numerics);
    this.#views = new CandidateViews(numerics);
  }

  /**
   * Starts a token: takes over `logits`, f32[V] or f64[V], which are not modified and not kept.
   * Refused, naming `owner`: not a flat vector, empty, NaN, +Infinity, or -Infinity everywhere.
   */
  load(logits: Logits, owner = OWNER): void {
    checkName(OWNER, 'owner', owner);
    const single = isFloat32Array(logits) ? logits : undefined;
    if (single !== undefined && single.length > 0) this.#loadWide(single, owner);
    else this.#kept.load(logits, checkLogits(logits, owner));
    this.#isWide = single !== undefined;
    this.#isTapped = false;
    this.#marked.clear();
    this.#scores.clear();
    this.#vocabSize = logits.length;
    this.#settled = undefined;
  }

  get vocabSize(): number {
    return this.#vocabSize;
  }

  get size(): number {
    return this.#source().size;
  }

  /** The id that a step decided on; undefined while the token is to be drawn. */
  get settled(): number | undefined {
    return this.#settled;
  }

  has(id: number): boolean {
    return this.logit(id) > -Infinity;
  }

  logit(id: number): number {
    this.#checkId(id);
    return this.#source().logit(id);
  }

  probability(id: number): number {
    return this.has(id) ? this.#source().probability(id) : 0;
  }

  idAt(index: number): number {
    return this.#listAt('index', index).idAt(index);
  }

  logitAt(index: number): number {
    return this.#listAt('index', index).logitAt(index);
  }

  probabilityAt(index: number): number {
    return this.#listAt('index', index).probabilityAt(index);
  }

  idAtRank(rank: number): number {
    if (rank === 0 && this.#isWide && this.#row().divisor === 1) return this.#row().best();
    return this.#listAt('rank', rank).idAtRank(rank);
  }

  probabilityAtRank(rank: number): number {
    return this.#listAt('rank', rank).probabilityAtRank(rank);
  }

  maxLogit(): number {
    return this.#source().maxLogit();
  }

  maxProbability(): number {
    return 1 / this.#source().normalizer(); // exp(max - max) is 1
  }

  ids(): Int32Array {
    return this.#views.ids(this.#source());
  }

  logits(): Float64Array {
    return this.#views.logits(this.#source());
  }

  probabilities(): Float64Array {
    return this.#views.probabilities(this.#source());
  }

  logProbabilities(): Float64Array {
    return this.#views.logProbabilities(this.#source());
  }

  ranked(count: number): RankedCandidates {
    if (!(Number.isInteger(count) && count >= 0)) throw new InvalidValueError(OWNER, 'count', 'an integer >= 0', count);
    const views = this.#views;
    if (count > 0 && this.#isWide && this.#finder().handBest(count, views.best))
      return views.rankedRow(count, this.#row());
    return views.rankedList(count, this.#narrow());
  }

  entropy(): number {
    return this.#source().entropy();
  }

  setLogit(id: number, value: number): void {
    this.#refuseEdit('setLogit');
    if (!this.has(id)) throw new InvalidValueError(OWNER, 'id', 'one of the kept ids', id);
    this.#edit(this.#editable(), id, value);
  }

  adjustLogits(ids: readonly number[], adjust: (logit: number, id: number) => number): void {
    checkFunction(OWNER, 'adjust', adjust);
    if (!isList(ids)) throw new InvalidValueError(OWNER, 'ids', 'an array of ids', ids);
    this.#refuseEdit('adjustLogits');
    const { length } = readable(OWNER, 'ids', ids, () => ({ length: ids.length }));
    this.#asking('adjustLogits', () => {
      let target = this.#editable(); // asked for once: this loop runs over long histories
      for (let i = 0; i < length; i++) {
        const id = idAt(ids, i);
        this.#checkId(id);
        const l = target.logit(id);
        if (l === -Infinity) continue;
        const value = adjust(l, id);
        if (!this.#isWide) target = this.#kept; // after what `adjust` looked at
        this.#edit(target, id, value);
      }
    });
  }

  mapLogits(adjust: (logit: number, id: number) => number): void {
    checkFunction(OWNER, 'adjust', adjust);
    const list = this.#narrowForEdit('mapLogits');
    this.#asking('mapLogits', () => list.mapLogits(adjust));
  }

  divideLogits(divisor: number): void {
    this.#refuseEdit('divideLogits');
    if (!(Number.isFinite(divisor) && divisor > 0 && Number.isFinite(this.maxLogit() / divisor))) {
      throw new InvalidValueError(OWNER, 'divisor', 'finite, > 0 and large enough that no logit overflows', divisor);
    }
    if (!(this.#isWide && this.#row().divide(divisor))) this.#narrow().divideLogits(divisor);
  }

  keepBest(count: number): void {
    this.#refuseEdit('keepBest');
    if (!(Number.isInteger(count) && count >= 1)) {
      throw new InvalidValueError(OWNER, 'count', 'an integer >= 1', count);
    }
    if (count >= this.size) return;
    if (this.#isWide && this.#finder().handBest(count, this.#kept)) this.#isWide = false;
    this.#narrow().keepBest(count);
  }

  keepMass(p: number, least = 1): void {
    this.#refuseEdit('keepMass');
    if (!(typeof p === 'number' && p > 0 && p <= 1)) throw new InvalidValueError(OWNER, 'p', 'a number in (0, 1]', p);
    checkLeast(least);
    if (this.#isWide && least === 1 && this.#finder().handMass(p, this.#kept)) this.#isWide = false;
    else this.#narrow().keepMass(p, least);
  }

  keepLikely(share: number, least = 1): void {
    this.#refuseEdit('keepLikely');
    if (!(typeof share === 'number' && share >= 0 && share <= 1))
      throw new InvalidValueError(OWNER, 'share', 'a number in [0, 1]', share);
    checkLeast(least);
    if (this.#isWide && least === 1 && this.#finder().handLikely(share, this.#kept)) this.#isWide = false;
    else this.#narrow().keepLikely(share, least);
  }

  keepMask(words: PackedMask): void {
    this.#refuseEdit('keepMask');
    checkMask(words, this.#vocabSize, OWNER);
    if (this.#editable() === this.#kept) this.#kept.keepMask(words);
    else this.#keepWideMask(words);
  }

  keepIds(keep: (id: number, index: number) => boolean): void {
    checkFunction(OWNER, 'keep', keep);
    const list = this.#narrowForEdit('keepIds');
    this.#asking('keepIds', () => list.keepIds(keep));
  }

  keepAtLeast(logit: number): void {
    this.#refuseEdit('keepAtLeast');
    if (typeof logit !== 'number' || Number.isNaN(logit))
      throw new InvalidValueError(OWNER, 'logit', 'a number', logit);
    const max = this.maxLogit();
    if (logit > max) throw new NothingLeftError(OWNER, 'logit', `at most ${max}, the largest one kept`, logit);
    if (logit === -Infinity) return;
    if (this.#isWide) this.#finder().handAtLeast(logit, this.#kept);
    else this.#kept.keepAtLeast(logit);
    this.#isWide = false;
  }

  settle(id: number): void {
    this.#refuseEdit('settle');
    if (!this.has(id)) throw new InvalidValueError(OWNER, 'id', 'one of the kept ids', id);
    if (this.#isWide) this.#finder().handOne(id, this.#kept);
    else this.#kept.keepOnly(id);
    this.#isWide = false;
    this.#settled = id;
  }

  /** Where logprobs are defined: what the candidates are now, whatever later steps do. */
  tapScores(): Scores {
    this.#isTapped = true;
    if (this.#isWide) this.#scores.takeWide(this.#finder());
    else this.#scores.takeKept(this.#kept);
    if (this.#asks !== undefined) this.#narrow(); // the edit under way leaves the row to the scores
    return this.#scores;
  }

  /** Remembers K with l as they are now, under a number >= 0, until the next `load`. */
  mark(mark: number): void {
    checkId(OWNER, 'mark', mark);
    const list = this.#marks.get(mark) ?? new KeptCandidates(this.numerics);
    if (this.#isWide) list.takeRow(this.#row(), this.#row().divisor);
    else list.copy(this.#kept.list);
    this.#marks.set(mark, list);
    this.#marked.add(mark);
  }

  /** q of `id` as it was at `mark`, 0 outside K; undefined where nothing was marked. */
  markedProbability(mark: number, id: number): number | undefined {
    checkId(OWNER, 'mark', mark);
    this.#checkId(id);
    const list = this.#marked.has(mark) ? this.#marks.get(mark) : undefined;
    return list && (list.logit(id) > -Infinity ? list.probability(id) : 0);
  }

  /** The id where the running sum of q over K in ascending id order first exceeds u; -1 where it never does. */
  walk(u: number): number {
    if (!(typeof u === 'number' && u >= 0 && u < 1)) throw new InvalidValueError(OWNER, 'u', 'a number in [0, 1)', u);
    return this.#source().walk(u);
  }

  /** l of K by id, -Infinity elsewhere: a new f64[V]. */
  toLogits(): Float64Array {
    const out = new Float64Array(this.#vocabSize).fill(-Infinity);
    this.#narrow().each((id, logit) => {
      out[id] = logit;
    });
    return out;
  }

  /** q of K by id, 0 elsewhere: a new f64[V]. */
  toProbabilities(): Float64Array {
    const out = new Float64Array(this.#vocabSize);
    this.#narrow().each((id, _, q) => {
      out[id] = q;
    });
    return out;
  }

  #keepWideMask(words: PackedMask): void {
    const row = this.#row();
    if (!row.meets(words)) throw refuseMask(OWNER);
    this.#isWide = SPARSE * countBits(words) > this.#vocabSize;
    if (this.#isWide) row.keepMask(words);
    else this.#finder().handMask(words, this.#kept);
  }

  #loadWide(logits: Float32Array, owner: string): void {
    const fits = this.#search?.wide.length === logits.length;
    const search = fits ? this.#finder() : new WideSearch(logits.length, this.numerics);
    const finite = search.wide.load(logits);
    if (finite < 0) throw refuseEntry(owner, -1 - finite, logits[-1 - finite]);
    if (finite === 0) throw refuseMasked(owner);
    this.#search = search;
  }

  #finder(): WideSearch {
    return this.#search as WideSearch; // #isWide says that it is there
  }

  #row(): WideCandidates {
    return this.#finder().wide;
  }

  #source(): WideCandidates | KeptCandidates {
    return this.#isWide ? this.#row() : this.#kept;
  }

  /** The candidates as a list, from now on. */
  #narrow(): KeptCandidates {
    if (this.#isWide) {
      this.#kept.takeRow(this.#row(), this.#row().divisor);
      this.#isWide = false;
    }
    return this.#kept;
  }

  /** The list, where it has an entry at `index`. */
  #listAt(name: string, index: number): KeptCandidates {
    const list = this.#narrow();
    if (typeof index === 'number' && index >>> 0 === index && index < list.size) return list;
    throw new InvalidValueError(OWNER, name, `an integer in [0, ${list.size})`, index);
  }

  /** Who takes edits: the whole vocabulary, unless the scores hold it or it is divided; else the list. */
  #editable(): WideCandidates | KeptCandidates {
    return this.#isWide && !this.#isTapped && this.#row().divisor === 1 ? this.#row() : this.#narrow();
  }

  #edit(target: WideCandidates | KeptCandidates, id: number, value: number): void {
    checkLogit(value);
    if (value === -Infinity && target.size === 1) throw refuseLast(id);
    target.setLogit(id, value);
  }

  /** Runs `edit`, which asks a function of the step's: that function may look at the set, and changes nothing. */
  #asking(name: string, edit: () => void): void {
    this.#asks = name;
    try {
      edit();
    } finally {
      this.#asks = undefined;
    }
  }

  /** Refuses an edit from within a function that another edit asks. */
  #refuseEdit(name: string): void {
    if (this.#asks === undefined) return;
    throw new InvalidValueError(OWNER, name, 'called after the edit before', `a call from within ${this.#asks}`);
  }

  #narrowForEdit(name: string): KeptCandidates {
    this.#refuseEdit(name);
    return this.#narrow();
  }

  #checkId(id: number): void {
    if (!(Number.isInteger(id) && id >= 0 && id < this.#vocabSize)) {
      throw new InvalidValueError(OWNER, 'id', `an integer in [0, ${this.#vocabSize})`, id);
    }
  }
}

/** Not by `readable`, whose closure this loop would make anew for every id. */
function idAt(ids: readonly number[], index: number): number {
  try {
    return ids[index] as number;
  } catch (cause) {
    throw unreadable(OWNER, 'ids', ids, cause);
  }
}

function checkLeast(least: number): void {
  if (!(Number.isInteger(least) && least >= 1)) throw new InvalidValueError(OWNER, 'least', 'an integer >= 1', least);
}

function refuseLast(id: number): NothingLeftError {
  return new NothingLeftError(OWNER, 'value', `above -Infinity for id ${id}, the last one kept`, -Infinity);
}
