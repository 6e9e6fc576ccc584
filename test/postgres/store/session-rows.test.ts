import fc from 'fast-check';
import { encodeCommit, type JournalRow, loadSession, snapshotRows } from '../../../src/postgres/store/session-rows.ts';
import { Tables } from '../../../src/server/store/memory/tables.ts';
import type { Commit } from '../../../src/server/store/store.ts';
import { cases } from '../../cases.ts';
import { image, payment, put, state } from '../../server/store/samples.ts';
import { anyCommit } from './random-commits.ts';

/** Applies commits; before those with `isSnapshotFirst`, replaces the rows so far with a snapshot. */
function rowsOf(tables: Tables, commits: readonly { commit: Commit; isSnapshotFirst: boolean }[]): JournalRow[] {
  let rows: JournalRow[] = [];
  for (const { commit, isSnapshotFirst } of commits) {
    const captured = isSnapshotFirst && tables.captureSession('shop');
    rows = captured ? [...snapshotRows(captured)] : rows;
    tables.apply(commit);
    rows.push({ state: commit.state ? JSON.stringify(commit.state) : null, lines: encodeCommit(commit) });
  }
  return rows;
}

function contentOf(tables: Tables) {
  const { state: facts, collections } = tables.captureSession('shop') ?? {};
  const records = (collections ?? []).map(({ name, records: each }) => [name, each] as const);
  return { facts, records: records.sort(([one], [other]) => (one < other ? -1 : 1)) };
}

describe('the rows of a session', () => {
  it('restore it unchanged, for any content and any position of a snapshot', async () => {
    const step = fc.record({ commit: anyCommit('shop'), isSnapshotFirst: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        const before = new Tables();
        const after = new Tables();
        await loadSession(after, 'shop', rowsOf(before, steps));
        expect(contentOf(after)).toEqual(contentOf(before));
      }),
      { numRuns: cases(150) },
    );
  });

  it('split a large snapshot, and restore its records in order', async () => {
    const before = new Tables();
    const payments = Array.from({ length: 250 }, (_, index) => put('payments', payment(`payment-${index}`)));
    const images = ['1', '2', '3'].map((id) => put('images', image(id, id.repeat(3_000_000))));
    rowsOf(before, [
      { commit: { session: 'shop', state: state(), changes: [...payments, ...images] }, isSnapshotFirst: false },
    ]);
    const captured = before.captureSession('shop');
    const rows = captured ? [...snapshotRows(captured)] : [];
    expect(rows.length).toBe(3);
    const after = new Tables();
    await loadSession(after, 'shop', rows);
    expect(contentOf(after)).toEqual(contentOf(before));
  });

  it('do not restore a session without a state', async () => {
    const tables = new Tables();
    expect(await loadSession(tables, 'shop', [{ state: null, lines: '' }])).toBeUndefined();
    expect(tables.has('shop')).toBe(false);
  });
});
