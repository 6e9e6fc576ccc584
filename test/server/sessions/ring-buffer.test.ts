import fc from 'fast-check';
import { RingBuffer } from '../../../src/server/sessions/ring-buffer.ts';
import { cases } from '../../cases.ts';

const CAPACITY = 4;

it('a ring buffer returns to each reader all unread items in order, and the number of dropped items', () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), reader: fc.nat({ max: 2 }) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const buffer = new RingBuffer<number>(CAPACITY);
      const readers = [0, 0, 0];
      /** The unread items of each reader. Cleared items do not count as missed. */
      const unread: number[][] = [[], [], []];
      let added = 0;
      for (const step of all) {
        if (step.kind === 'add') {
          added += 1;
          const dropped = buffer.add(added);
          expect(dropped.length === 0 || dropped.length === CAPACITY + 1).toBe(true);
          for (const list of unread) {
            list.push(added);
          }
        } else if (step.kind === 'clear') {
          buffer.clear();
          for (const list of unread) {
            list.length = 0;
          }
        } else {
          const list = unread[step.reader] ?? [];
          const first = buffer.readFrom(readers[step.reader] ?? 0);
          expect(first?.item).toBe(list[first?.missed ?? 0]);
          expect(first === undefined).toBe(list.length === 0);
          list.splice(0, (first?.missed ?? 0) + 1);
          readers[step.reader] = (first?.position ?? -1) + 1 || (readers[step.reader] ?? 0);
          // Items in the buffer were not missed, so after a gap the first item is returned.
          expect(first?.missed ? buffer.items[0] : first?.item).toBe(first?.item);
        }
        expect(buffer.items.length).toBeLessThanOrEqual(2 * CAPACITY);
      }
      expect(buffer.nextPosition).toBe(added);
    }),
    { numRuns: cases(500) },
  );
});

it('a ring buffer finds the position after the last matching item', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
      fc.integer({ min: 0, max: 3 }),
      (all, greatest) => {
        const buffer = new RingBuffer<number>(CAPACITY);
        for (const item of all) {
          buffer.add(item);
        }
        const items = [...buffer.items];
        const later = items.length - 1 - items.findLastIndex((item) => item <= greatest);
        expect(buffer.positionAfterLast((item) => item <= greatest)).toBe(all.length - later);
      },
    ),
    { numRuns: cases(300) },
  );
});
