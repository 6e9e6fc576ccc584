import * as fc from 'fast-check';
import { DueQueue } from '../../src/sessions/due-queue.ts';
import { cases } from '../cases.ts';

const anyStep = fc.record({
  number: fc.integer({ min: 1, max: 30 }),
  dueAt: fc.option(fc.constantFrom(0, 1, 2, 3, 1_700_000_000_000, 1_700_000_000_001), { freq: 3 }),
});

function firstOf(model: ReadonlyMap<number, number>) {
  const [first] = [...model].sort(([a, dueA], [b, dueB]) => dueA - dueB || a - b);
  return first && { number: first[0], dueAt: first[1] };
}

it('shows what is next due, of one instant the smallest number, whatever is put in, put off and taken out', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 100 }), (steps) => {
      const queue = new DueQueue();
      const model = new Map<number, number>();
      for (const { number, dueAt } of steps) {
        if (dueAt === null) {
          queue.remove(number);
          model.delete(number);
        } else {
          queue.put(number, dueAt);
          model.set(number, dueAt);
        }
        expect(queue.first).toEqual(firstOf(model));
        expect([queue.size, queue.has(number)]).toEqual([model.size, model.has(number)]);
      }
      const listed = [...queue].map(({ number, dueAt }): [number, number] => [number, dueAt]);
      expect(listed.sort(([a], [b]) => a - b)).toEqual([...model].sort(([a], [b]) => a - b));
      for (let first = firstOf(model); first; first = firstOf(model)) {
        expect(queue.first).toEqual(first);
        queue.remove(first.number);
        model.delete(first.number);
      }
      expect(queue.first).toBeUndefined();
    }),
    { numRuns: cases(500) },
  );
});
