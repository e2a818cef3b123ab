import { describe, expect, it } from 'vitest';
import { type Constraint, constraintFrom } from '../../../processors/index.js';

/** The words of a list, each followed by the end id 9 (or 8). */
function words(...list: number[][]): Constraint {
  const next = (ids: readonly number[]) => {
    const begun = list.filter((word) => ids.every((id, i) => word[i] === id));
    return begun.flatMap((word) => (word.length === ids.length ? [8, 9] : [word[ids.length] as number]));
  };
  return constraintFrom(next, [8, 9]);
}

function allowed(constraint: Constraint): number[] {
  const mask = constraint.mask() as { allow: Iterable<number> };
  return [...mask.allow].sort();
}

describe('constraintFrom', () => {
  it('allows what the function says of the ids so far', () => {
    const constraint = words([1, 2], [1, 3, 4], [5]);
    expect(allowed(constraint)).toEqual([1, 5]);
    constraint.advance(1);
    expect(allowed(constraint)).toEqual([2, 3]);
    constraint.advance(3);
    expect(allowed(constraint)).toEqual([4]);
  });

  it('is complete where an end id may come, and done after it, with nothing allowed', () => {
    const constraint = words([1], [1, 2]);
    expect([constraint.isComplete(), constraint.done]).toEqual([false, false]);
    constraint.advance(1);
    expect([constraint.isComplete(), constraint.done, allowed(constraint)]).toEqual([true, false, [2, 8, 9]]);
    constraint.advance(9);
    expect([constraint.isComplete(), constraint.done, allowed(constraint)]).toEqual([true, true, []]);
    expect(() => constraint.advance(2)).toRefuse('constraintFrom: `id` must be absent after the end id, got 2');
  });

  it.each([[2], [-1], [0.5], [9], [undefined]])('refuses %s, which is not allowed, and does not move', (id) => {
    const constraint = words([1, 2]);
    expect(() => constraint.advance(id as number)).toRefuse(
      `constraintFrom: \`id\` must be one that may come next, got ${id}`,
    );
    expect([constraint.save(), allowed(constraint)]).toEqual([[], [1]]);
  });

  it('can end at once, and can have no end', () => {
    expect(words([]).isComplete()).toBe(true);
    const endless = constraintFrom(() => [1, 2], []);
    for (const id of [1, 2, 2]) endless.advance(id);
    expect([endless.isComplete(), endless.done, endless.save()]).toEqual([false, false, [1, 2, 2]]);
  });

  it('asks the function once a token, with the ids so far', () => {
    const asked: number[][] = [];
    const constraint = constraintFrom(
      (ids) => {
        asked.push([...ids]);
        return new Set([1, 9]).values();
      },
      [9],
    );
    expect(asked).toEqual([]);
    for (let i = 0; i < 2; i++) expect([allowed(constraint), constraint.isComplete()]).toEqual([[1, 9], true]);
    constraint.advance(1);
    constraint.advance(1);
    expect(allowed(constraint)).toEqual([1, 9]);
    constraint.advance(9);
    expect(allowed(constraint)).toEqual([]);
    expect(asked).toEqual([[], [1], [1, 1]]);
  });

  it('goes to a place that was saved', () => {
    const constraint = words([1, 2, 3]);
    const places = [constraint.save()];
    for (const id of [1, 2, 3, 8]) {
      constraint.advance(id);
      places.push(JSON.parse(JSON.stringify(constraint.save())));
    }
    expect(places).toEqual([[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 8]]);
    for (const [i, expected] of [[1], [2], [3], [8, 9], []].entries()) {
      constraint.restore(places[i] as number[]);
      expect([allowed(constraint), constraint.done]).toEqual([expected, i === 4]);
    }
    constraint.restore(places[1] as number[]);
    constraint.advance(2);
    expect([places[1], constraint.save()]).toEqual([[1], [1, 2]]);
  });

  it.each([
    { state: null, message: '`state` must be an array of ids, got null' },
    { state: { ids: [] }, message: '`state` must be an array of ids, got { ids: [] }' },
    { state: [1, -1], message: '`state[1]` must be an integer >= 0, got -1' },
    { state: ['1'], message: '`state[0]` must be an integer >= 0, got "1"' },
  ])('refuses the place $state, and does not move', ({ state, message }) => {
    const constraint = words([1, 2]);
    constraint.advance(1);
    expect(() => constraint.restore(state)).toRefuse(`constraintFrom: ${message}`);
    expect(constraint.save()).toEqual([1]);
  });

  it('refuses what is no function, and end ids that are none', () => {
    expect(() => constraintFrom([1] as never, [])).toRefuse(
      'constraintFrom: `allowed` must be a function of the ids, got [1]',
    );
    expect(() => constraintFrom(() => [], 9 as never)).toRefuse(
      'constraintFrom: `endIds` must be an array of ids, got 9',
    );
    expect(() => constraintFrom(() => [], [9, -1])).toRefuse(
      'constraintFrom: `endIds[1]` must be an integer >= 0, got -1',
    );
  });
});
