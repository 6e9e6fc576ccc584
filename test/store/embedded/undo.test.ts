import * as fc from 'fast-check';
import { Tables } from '../../../src/store/embedded/tables.ts';
import type { AnyRecord, CollectionName } from '../../../src/store/store.ts';
import { anyStep } from '../../contract/store-model.ts';
import { state } from '../samples.ts';

/** All that reads can see, in their order. */
function seenIn(tables: Tables): unknown {
  const sessions = tables.states().map(({ name, state }) => {
    const table = tables.table(name, 'payments');
    const found = ['one', 'two'].map((code) => table?.find('paymentCode', code) ?? []);
    const records: readonly AnyRecord[] = table?.list({ limit: 99 }).items ?? [];
    return { name, state, found, records, newest: table?.list({ limit: 99, newestFirst: true }).items ?? [] };
  });
  return { sessions, counts: tables.counts('payments') };
}

it('takes any run of changes back, last first, until everything is seen as before', () => {
  const steps = fc.array(anyStep(), { maxLength: 30 });
  fc.assert(
    fc.property(steps, fc.nat(30), (history, kept) => {
      const tables = new Tables();
      const undos: (() => void)[] = [];
      let before = seenIn(tables);
      for (const [index, step] of history.entries()) {
        if (index === kept) {
          undos.length = 0;
          before = seenIn(tables);
        }
        undos.push(typeof step === 'string' ? tables.drop(step) : tables.apply(step));
      }
      if (kept > history.length) {
        return;
      }
      for (const undo of undos.reverse()) {
        undo();
      }
      expect(seenIn(tables)).toEqual(kept === history.length ? seenIn(tables) : before);
      const collection: CollectionName = 'payments';
      tables.apply({ session: 'shop', state: state(), changes: [{ collection, id: 'payment-9', record: null }] });
    }),
    { numRuns: 500, seed: 1 },
  );
});
