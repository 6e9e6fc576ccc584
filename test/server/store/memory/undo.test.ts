import * as fc from 'fast-check';
import { COLLECTIONS } from '../../../../src/server/store/collections.ts';
import { Table } from '../../../../src/server/store/memory/table.ts';
import { Tables } from '../../../../src/server/store/memory/tables.ts';
import { cases } from '../../../cases.ts';
import { anyStep } from '../contract/store-model.ts';

/** Everything that reads return, in order. */
async function readAll(tables: Tables): Promise<unknown> {
  const sessions = tables.states().map(async ({ name, state }) => {
    // A table that was not created yet reads like an empty one.
    const table = tables.table(name, 'payments') ?? new Table(COLLECTIONS.payments);
    const byCode = ['one', 'two'].map((code) => table.find('paymentCode', code));
    const [oldest, newest] = [await table.list({ limit: 99 }), await table.list({ limit: 99, newestFirst: true })];
    return { name, state, byCode, oldest, newest, all: table.all(), due: table.due() };
  });
  return { sessions: await Promise.all(sessions), counts: tables.counts('payments') };
}

it('undoing any sequence of changes, last first, makes reads return the same as before them', async () => {
  const steps = fc.array(anyStep(), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(30), async (history, firstUndone) => {
      // If the history has no step with this index, all steps are undone.
      const tables = new Tables();
      const undos: (() => void)[] = [];
      let before = await readAll(tables);
      for (const [index, step] of history.entries()) {
        if (index === firstUndone) {
          undos.length = 0;
          before = await readAll(tables);
        }
        undos.push(typeof step === 'string' ? tables.drop(step) : tables.apply(step));
      }
      for (const undo of undos.reverse()) {
        undo();
      }
      expect(await readAll(tables)).toEqual(before);
    }),
    { numRuns: cases(500), seed: 1 },
  );
});
