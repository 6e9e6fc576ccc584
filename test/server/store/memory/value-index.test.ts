import * as fc from 'fast-check';
import { ValueIndex } from '../../../../src/server/store/memory/value-index.ts';
import { cases } from '../../../cases.ts';

interface Shared {
  shares: { merchantId: string | null }[];
}

const MERCHANTS = ['one', 'two', 'three'];

const sharedBy = (merchants: readonly (string | null)[]): Shared => ({
  shares: merchants.map((merchantId) => ({ merchantId })),
});

it('an index of a list finds a record by each value in the list, while records change and are removed', () => {
  const anyMerchants = fc.array(fc.constantFrom(...MERCHANTS, null), { maxLength: 4 });
  const anyStep = fc.tuple(fc.nat({ max: 5 }), fc.option(anyMerchants, { nil: 'removed' as const }));
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
      const index = new ValueIndex('shares.merchantId');
      const model = new Map<number, Shared>();
      for (const [ordinal, merchants] of steps) {
        const before = model.get(ordinal);
        const after = merchants === 'removed' ? undefined : sharedBy(merchants);
        index.update(ordinal, before, after);
        if (after) {
          model.set(ordinal, after);
        } else {
          model.delete(ordinal);
        }
        for (const merchant of MERCHANTS) {
          const all = [0, 1, 2, 3, 4, 5].filter((each) =>
            model.get(each)?.shares.some(({ merchantId }) => merchantId === merchant),
          );
          expect(index.get(merchant)).toEqual(all);
          expect(index.get(merchant, 3)).toEqual(all.filter((each) => each >= 3));
        }
      }
    }),
    { numRuns: cases(150) },
  );
});

it('an index returns no record for an unknown value, or for a value that was replaced', () => {
  const index = new ValueIndex('paymentId');
  expect(index.get('one')).toEqual([]);
  index.update(0, undefined, { paymentId: 'one' });
  index.update(0, { paymentId: 'one' }, { paymentId: 'two' });
  expect([index.get('one'), index.get('two')]).toEqual([[], [0]]);
});
