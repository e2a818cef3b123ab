/**
 * The candidates of one token, with the optimizations that processors need not know of.
 *
 * Float32 logits begin as a row (`RowCandidates`): nothing is copied to float64, sorted or summed before it is needed, and
 * a filter finds a short list in it (`RowSearch`). From then on, for what needs a list anyway, and for float64 logits, the
 * candidates are a list (`ListCandidates`). Both give the same bits; here it is decided which one answers, and every argument
 * is checked.
 *
 * One set serves one token after another, of one request or of several in turn (`CandidateLender`): `load` starts a token,
 * and no array is allocated after the first few.
 */
import type { Candidates, RankedCandidates } from '../../processors/contract.js';
import { InvalidValueError, NothingLeftError } from '../errors.js';
import { checkFunction, checkId, checkName, elementAt, isList, lengthOfList } from '../inputs.js';
import { isFloat32Array } from '../kinds.js';
import { checkLogit, checkLogits, checkVocabSize, type Logits } from '../logits.js';
import { checkNumerics, exactNumerics, type Numerics } from '../numerics/numerics.js';
import { checkMask, countBits, type PackedMask, refuseMask } from './bit-mask.js';
import { CandidateViews } from './candidate-views.js';
import type { FoundList } from './found-list.js';
import { ListCandidates } from './list-candidates.js';
import { PendingEdits } from './pending-edits.js';
import { RowCandidates } from './row-candidates.js';
import { RowSearch } from './row-search.js';
import { Scores } from './scores.js';

const OWNER = 'CandidateSet';
/** A mask that allows fewer than one in so many makes a list. */
const SPARSE = 8;

/** Who answers. */
type Source = RowCandidates | ListCandidates;

export class CandidateSet implements Candidates {
  readonly numerics: Numerics;
  readonly #list: ListCandidates;
  readonly #scores: Scores;
  readonly #views: CandidateViews;
  /** The row of this vocabulary size, whether or not it answers. */
  #ownRow: RowCandidates | undefined;
  #search: RowSearch | undefined;
  /** The row while it answers; else the list does. */
  #row: RowCandidates | undefined;
  /** Whether the scores hold the row, whose edits must then not change. */
  #isTapped = false;
  #withLogprob = false;
  #vocabSize = 0;
  #settled: number | undefined;
  /** Lists of what was marked, of this token or for the next one. */
  readonly #marks = new Map<number, ListCandidates>();
  readonly #marked = new Set<number>();
  /** The edit under way that asks a function of the step's, and what it was answered. */
  #asks: string | undefined;
  readonly #asked = new PendingEdits();

  constructor(numerics: Numerics = exactNumerics) {
    checkNumerics(OWNER, 'numerics', numerics);
    this.numerics = numerics;
    this.#list = new ListCandidates(numerics);
    this.#scores = new Scores(numerics);
    this.#views = new CandidateViews(numerics);
  }

  /**
   * Starts a token: takes over `logits`, f32[V] or f64[V], which are not modified and not kept.
   * Refused, naming `owner`: not a flat vector, empty, NaN, +Infinity, or -Infinity everywhere.
   * @param withLogprob whether a logprob will be asked for: then Z is summed where scores are tapped, for later steps to use
   */
  load(logits: Logits, owner = OWNER, withLogprob = false): void {
    checkName(OWNER, 'owner', owner);
    if (typeof withLogprob !== 'boolean') {
      throw new InvalidValueError(OWNER, 'withLogprob', 'true or false', withLogprob);
    }
    if (isFloat32Array(logits) && logits.length > 0) this.#loadRow(logits, owner);
    else this.#loadList(logits, owner);
    this.#isTapped = false;
    this.#withLogprob = withLogprob;
    if (this.#marked.size > 0) this.#marked.clear();
    this.#scores.clear();
    this.#vocabSize = logits.length;
    this.#settled = undefined;
  }

  /** The array that the next logits of `vocabSize` ids may be written in: `logitsBuffer` says how. */
  lendBuffer(vocabSize: number): Float32Array {
    checkVocabSize(OWNER, vocabSize);
    if (this.#ownRow?.length !== vocabSize) {
      this.#ownRow = new RowCandidates(vocabSize, this.numerics);
      this.#row = undefined;
      this.#vocabSize = vocabSize;
    }
    return this.#ownRow.lend();
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
    if (rank === 0 && this.#row?.divisor === 1) return this.#row.best();
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
    const found = count > 0 && this.#row ? this.#finder().best(count) : undefined;
    if (this.#row === undefined || found === undefined) return this.#views.ranked(count, this.#narrow(), this.#list);
    this.#views.best.take(found);
    return this.#views.ranked(count, this.#views.best, this.#row);
  }

  entropy(): number {
    return this.#source().entropy();
  }

  setLogit(id: number, value: number): void {
    this.#refuseEdit('setLogit');
    if (!this.has(id)) throw new InvalidValueError(OWNER, 'id', 'one of the kept ids', id);
    this.#asked.clear(this.#vocabSize);
    this.#asked.add(id, checkLogit(value));
    if (value === -Infinity && this.size === 1) throw refuseLast(id);
    this.#editable().setLogits(this.#asked);
  }

  adjustLogits(ids: readonly number[], adjust: (logit: number, id: number) => number): void {
    checkFunction(OWNER, 'adjust', adjust);
    if (!isList(ids)) throw new InvalidValueError(OWNER, 'ids', 'an array of ids', ids);
    this.#refuseEdit('adjustLogits');
    const edits = this.#asked;
    edits.clear(this.#vocabSize);
    this.#asks = 'adjustLogits';
    try {
      this.#askEach(this.#source(), ids, adjust);
    } finally {
      this.#asks = undefined;
    }
    if (edits.count === 0) return;
    if (edits.removed >= this.size) throw refuseLast(edits.ids[edits.count - 1] as number);
    this.#editable().setLogits(edits);
  }

  /** A loop of its own, which is small enough for an engine to take `adjust` into it: it runs over long histories. */
  #askEach(source: Source, ids: readonly number[], adjust: (logit: number, id: number) => number): void {
    const edits = this.#asked;
    const length = lengthOfList(OWNER, 'ids', ids);
    for (let i = 0; i < length; i++) {
      const id = elementAt(OWNER, 'ids', ids, i);
      this.#checkId(id);
      const l = edits.has(id) ? edits.valueOf(id) : source.logit(id);
      if (l > -Infinity) edits.add(id, checkLogit(adjust(l, id)));
    }
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
    if (!this.#row?.divide(divisor)) this.#narrow().divideLogits(divisor);
  }

  keepBest(count: number): void {
    this.#refuseEdit('keepBest');
    if (!(Number.isInteger(count) && count >= 1)) {
      throw new InvalidValueError(OWNER, 'count', 'an integer >= 1', count);
    }
    if (count >= this.size) return;
    if (this.#row) this.#take(this.#finder().best(count));
    this.#narrow().keepBest(count);
  }

  keepMass(p: number, least = 1): void {
    this.#refuseEdit('keepMass');
    if (!(typeof p === 'number' && p > 0 && p <= 1)) throw new InvalidValueError(OWNER, 'p', 'a number in (0, 1]', p);
    checkLeast(least);
    const found = this.#row && this.#finder().nucleus(p);
    if (found === undefined) this.#narrow().keepMass(p, least);
    else if (found.count < least) this.keepBest(least);
    else this.#take(found);
  }

  keepLikely(share: number, least = 1): void {
    this.#refuseEdit('keepLikely');
    if (!(typeof share === 'number' && share >= 0 && share <= 1))
      throw new InvalidValueError(OWNER, 'share', 'a number in [0, 1]', share);
    checkLeast(least);
    const found = this.#row && this.#finder().likely(share);
    if (found === undefined) this.#narrow().keepLikely(share, least);
    else if (found.count < least) this.keepBest(least);
    else this.#take(found);
  }

  keepMask(words: PackedMask): void {
    this.#refuseEdit('keepMask');
    checkMask(words, this.#vocabSize, OWNER);
    const target = this.#editable();
    if (target === this.#list) this.#list.keepMask(words);
    else this.#maskRow(target as RowCandidates, words);
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
    if (this.#row) this.#take(this.#finder().atLeast(logit));
    else this.#list.keepAtLeast(logit);
  }

  settle(id: number): void {
    this.#refuseEdit('settle');
    if (!this.has(id)) throw new InvalidValueError(OWNER, 'id', 'one of the kept ids', id);
    if (this.#row) this.#take(this.#finder().only(id));
    else this.#list.keepOnly(id);
    this.#settled = id;
  }

  /** Where logprobs are defined: what the candidates are now, whatever later steps do. */
  tapScores(): Scores {
    this.#isTapped = true;
    if (this.#row) this.#scores.takeRow(this.#row, this.#finder());
    else this.#scores.takeList(this.#list);
    if (this.#withLogprob) this.#scores.sum();
    if (this.#asks !== undefined) this.#narrow(); // the edit under way leaves the row to the scores
    return this.#scores;
  }

  /** Remembers K with l as they are now, under a number >= 0, until the next `load`. */
  mark(mark: number): void {
    checkId(OWNER, 'mark', mark);
    const list = this.#marks.get(mark) ?? new ListCandidates(this.numerics);
    if (this.#row) list.takeRow(this.#row, this.#row.divisor);
    else list.copy(this.#list.list);
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
    if (this.#row) this.#row.fillProbabilities(out);
    else
      this.#list.each((id, _, q) => {
        out[id] = q;
      });
    return out;
  }

  #loadRow(logits: Float32Array, owner: string): void {
    const fits = this.#ownRow?.length === logits.length;
    const row = fits ? (this.#ownRow as RowCandidates) : new RowCandidates(logits.length, this.numerics);
    row.load(logits, owner);
    this.#ownRow = row;
    this.#row = row;
  }

  #loadList(logits: Logits, owner: string): void {
    this.#list.load(logits, checkLogits(logits, owner));
    this.#row = undefined;
  }

  #maskRow(row: RowCandidates, words: PackedMask): void {
    if (!row.meets(words)) throw refuseMask(OWNER);
    if (SPARSE * countBits(words) > this.#vocabSize) row.keepMask(words);
    else this.#take(this.#finder().allowed(words));
  }

  #finder(): RowSearch {
    const row = this.#row as RowCandidates; // asked for only where there is one
    if (this.#search?.row !== row) this.#search = new RowSearch(row, this.numerics);
    return this.#search;
  }

  #source(): Source {
    return this.#row ?? this.#list;
  }

  /** The candidates as a list, from now on: what was found in the row. */
  #take(found: FoundList | undefined): void {
    if (found === undefined) return;
    this.#list.take(found);
    this.#row = undefined;
  }

  /** The candidates as a list, from now on. */
  #narrow(): ListCandidates {
    if (this.#row) this.#list.takeRow(this.#row, this.#row.divisor);
    this.#row = undefined;
    return this.#list;
  }

  /** The list, where it has an entry at `index`. */
  #listAt(name: string, index: number): ListCandidates {
    const list = this.#narrow();
    if (typeof index === 'number' && index >>> 0 === index && index < list.size) return list;
    throw new InvalidValueError(OWNER, name, `an integer in [0, ${list.size})`, index);
  }

  /** Who takes edits: the row, unless the scores hold it or it is divided; else the list. */
  #editable(): Source {
    return this.#row?.divisor === 1 && !this.#isTapped ? this.#row : this.#narrow();
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

  #narrowForEdit(name: string): ListCandidates {
    this.#refuseEdit(name);
    return this.#narrow();
  }

  #checkId(id: number): void {
    if (!(Number.isInteger(id) && id >= 0 && id < this.#vocabSize)) {
      throw new InvalidValueError(OWNER, 'id', `an integer in [0, ${this.#vocabSize})`, id);
    }
  }
}

function checkLeast(least: number): void {
  if (!(Number.isInteger(least) && least >= 1)) throw new InvalidValueError(OWNER, 'least', 'an integer >= 1', least);
}

function refuseLast(id: number): NothingLeftError {
  return new NothingLeftError(OWNER, 'value', `above -Infinity for id ${id}, the last one kept`, -Infinity);
}
