import * as fc from 'fast-check';
import { DueHeap } from '../../../src/server/sessions/due-heap.ts';
import { cases } from '../../cases.ts';

const anyEntry = fc.record({
  dueAt: fc.constantFrom(0, 1, 2, 3, 1_700_000_000_000, 1_700_000_000_001),
  key: fc.integer({ min: 1, max: 30 }),
});
const anyStep = fc.option(anyEntry, { freq: 3 });

it('the heap returns the earliest entry after any changes; of several, the one with the smallest key', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 100 }), (steps) => {
      const heap = new DueHeap();
      let model: { dueAt: number; key: number }[] = [];
      for (const entry of steps) {
        if (entry === null) {
          heap.removeFirst();
          model = model.slice(1);
        } else {
          heap.push(entry.dueAt, entry.key);
          model = [...model, entry].sort((a, b) => a.dueAt - b.dueAt || a.key - b.key);
        }
        expect([heap.first, heap.size]).toEqual([model[0], model.length]);
      }
      for (; model.length > 0; model = model.slice(1)) {
        expect(heap.first).toEqual(model[0]);
        heap.removeFirst();
      }
      expect(heap.first).toBeUndefined();
    }),
    { numRuns: cases(500) },
  );
});
