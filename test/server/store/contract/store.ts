import * as fc from 'fast-check';
import type { Payment } from '../../../../src/base/schema/generated/records.ts';
import type { RecordChange, Store } from '../../../../src/server/store/store.ts';
import { cases } from '../../../cases.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { payment, put, remove, state } from '../samples.ts';
import { anyStep, applyTo, expectSame, type Model } from './store-model.ts';

export interface EngineUnderTest {
  name: string;
  /** Opens a store with its data in the folder, which may already contain data. */
  open(folder: string): Promise<Store>;
  /** Whether it still has its data when it is opened again; if not, the reason. */
  durable: true | { reason: string };
}

/** The tests that every store engine must pass. Source: the port in src/server/store/store.ts. */
export function describeStore(engine: EngineUnderTest): void {
  const newFolder = temporaryFolders();
  const stores: Store[] = [];

  async function open(folder = newFolder()): Promise<Store> {
    const store = await engine.open(folder);
    stores.push(store);
    return store;
  }

  /** A store with these payments in the session `shop`. */
  async function storeWith(...payments: Payment[]): Promise<Store> {
    const store = await open();
    await store.commit({ session: 'shop', state: state(), changes: payments.map((each) => put('payments', each)) });
    return store;
  }

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  describe(`a store (${engine.name})`, () => {
    describe('when it is read', () => {
      it('returns a record by its id, and nothing for an unknown id, collection or session', async () => {
        const store = await storeWith(payment('payment-1'));
        expect(store.get('shop', 'payments', 'payment-1')).toEqual(payment('payment-1'));
        expect(store.get('shop', 'payments', 'payment-2')).toBeUndefined();
        expect(store.get('shop', 'payouts', 'payment-1')).toBeUndefined();
        expect(store.get('another', 'payments', 'payment-1')).toBeUndefined();
      });

      it('returns the records that changes would replace and then those that they would remove, oldest first', async () => {
        const store = await storeWith(payment('payment-1'), payment('payment-2'), payment('payment-3'));
        const changed = payment('payment-3', { amount: 1 });
        const changes = [
          remove('payments', 'payment-2'),
          remove('payments', 'payment-1'),
          put('payments', changed),
          put('payments', payment('payment-4')),
          remove('payouts', 'payout-1'),
        ];
        expect(store.undoOf('shop', changes)).toEqual([
          { ...put('payments', payment('payment-3')), index: null },
          { ...put('payments', payment('payment-1')), index: 0 },
          { ...put('payments', payment('payment-2')), index: 1 },
        ]);
        await store.commit({ session: 'shop', changes });
        expect(store.undoOf('shop', [remove('payments', 'payment-3')])).toEqual([
          { ...put('payments', changed), index: 0 },
        ]);
        expect(store.undoOf('another', [remove('payments', 'payment-3')])).toEqual([]);
      });

      it('finds all records by an indexed field, oldest first', async () => {
        const same = { payerReference: 'order 7' };
        const store = await storeWith(
          payment('payment-1', same),
          payment('payment-2'),
          payment('payment-3', same),
          payment('payment-4', same),
        );
        const payments = store.find('shop', 'payments', 'payerReference', 'order 7');
        expect(payments.map(({ id }) => id)).toEqual(['payment-1', 'payment-3', 'payment-4']);
        expect(store.find('shop', 'payments', 'payerReference', 'order 8')).toEqual([]);
        expect(store.find('another', 'payments', 'payerReference', 'order 7')).toEqual([]);
      });

      it('does not find a record by a field that is null', async () => {
        const store = await storeWith(payment('payment-1', { paymentId: null }));
        expect(store.find('shop', 'payments', 'paymentId', 'null')).toEqual([]);
      });

      it('finds a changed record by its new value, and not by its old value', async () => {
        const store = await storeWith(payment('payment-1', { paymentCode: '111111111' }));
        await store.commit({
          session: 'shop',
          changes: [put('payments', payment('payment-1', { paymentCode: '222222222' }))],
        });
        expect(store.find('shop', 'payments', 'paymentCode', '111111111')).toEqual([]);
        expect(store.find('shop', 'payments', 'paymentCode', '222222222')).toHaveLength(1);
        await store.commit({
          session: 'shop',
          changes: [put('payments', payment('payment-1', { paymentCode: null }))],
        });
        expect(store.find('shop', 'payments', 'paymentCode', '222222222')).toEqual([]);
      });

      it('finds records in order of creation, even if a later change gave them the value', async () => {
        const store = await storeWith(
          payment('payment-1'),
          payment('payment-2', { paymentCode: '333333333' }),
          payment('payment-3'),
        );
        await store.commit({
          session: 'shop',
          changes: [put('payments', payment('payment-3', { paymentCode: '333333333' }))],
        });
        await store.commit({
          session: 'shop',
          changes: [put('payments', payment('payment-1', { paymentCode: '333333333' }))],
        });
        const payments = store.find('shop', 'payments', 'paymentCode', '333333333');
        expect(payments.map(({ id }) => id)).toEqual(['payment-1', 'payment-2', 'payment-3']);
      });
    });

    describe('when records are listed', () => {
      const five = ['1', '2', '3', '4', '5'].map((number) => payment(`payment-${number}`, { amount: Number(number) }));

      async function pagesOf(store: Store, options: { limit: number; newestFirst?: boolean }): Promise<string[][]> {
        const pages: string[][] = [];
        let after: { after?: number } = {};
        for (;;) {
          const page = await store.list('shop', 'payments', { ...options, ...after });
          pages.push(page.items.map(({ id }) => id.replace('payment-', '')));
          if (page.nextCursor === null) {
            return pages;
          }
          after = { after: page.nextCursor };
        }
      }

      it('returns them in order of creation, page by page, without a cursor on the last page', async () => {
        expect(await pagesOf(await storeWith(...five), { limit: 2 })).toEqual([['1', '2'], ['3', '4'], ['5']]);
      });

      it('returns no cursor if the last page is exactly full', async () => {
        expect(await pagesOf(await storeWith(...five), { limit: 5 })).toEqual([['1', '2', '3', '4', '5']]);
      });

      it('can return the newest first', async () => {
        expect(await pagesOf(await storeWith(...five), { limit: 3, newestFirst: true })).toEqual([
          ['5', '4', '3'],
          ['2', '1'],
        ]);
      });

      it('returns only matching records, and no cursor if no more records match', async () => {
        const store = await storeWith(...five);
        const page = await store.list('shop', 'payments', { limit: 2, where: ({ amount }) => amount % 2 === 0 });
        expect(page).toEqual({ items: [five[1], five[3]], nextCursor: null });
      });

      it('returns nothing for an empty collection', async () => {
        const store = await storeWith();
        expect(await store.list('shop', 'links', { limit: 10 })).toEqual({ items: [], nextCursor: null });
      });

      it('neither repeats nor skips a record when others are added between two pages', async () => {
        for (const newestFirst of [false, true]) {
          const store = await storeWith(...five);
          const firstPage = await store.list('shop', 'payments', { limit: 3, newestFirst });
          await store.commit({ session: 'shop', changes: [put('payments', payment('payment-6'))] });
          const secondPage = await store.list('shop', 'payments', {
            limit: 9,
            newestFirst,
            after: firstPage.nextCursor ?? 0,
          });
          const numbers = [...firstPage.items, ...secondPage.items].map(({ id }) => id.replace('payment-', ''));
          expect(numbers).toEqual(newestFirst ? ['5', '4', '3', '2', '1'] : ['1', '2', '3', '4', '5', '6']);
        }
      });

      it('continues after a record that was removed between two pages', async () => {
        const store = await storeWith(...five);
        const firstPage = await store.list('shop', 'payments', { limit: 2 });
        await store.commit({
          session: 'shop',
          changes: [remove('payments', 'payment-1'), remove('payments', 'payment-2')],
        });
        const secondPage = await store.list('shop', 'payments', { limit: 9, after: firstPage.nextCursor ?? 0 });
        expect(secondPage.items.map(({ id }) => id)).toEqual(['payment-3', 'payment-4', 'payment-5']);
      });

      it('does not move a changed record', async () => {
        const store = await storeWith(...five);
        await store.commit({ session: 'shop', changes: [put('payments', payment('payment-2', { state: 'Paid' }))] });
        expect(await pagesOf(store, { limit: 9 })).toEqual([['1', '2', '3', '4', '5']]);
      });
    });

    describe('when records are counted', () => {
      it('counts those of all sessions by the values of the counted fields', async () => {
        const store = await storeWith(
          payment('payment-1'),
          payment('payment-2', { channel: 'qr-wallet' }),
          payment('payment-3', { state: 'Paid' }),
        );
        await store.commit({ session: 'kiosk', state: state(), changes: [put('payments', payment('payment-1'))] });
        const counts = [
          { values: { channel: 'mobile-money', state: 'Paid' }, records: 1 },
          { values: { channel: 'mobile-money', state: 'Processing' }, records: 2 },
          { values: { channel: 'qr-wallet', state: 'Processing' }, records: 1 },
        ];
        expect(await store.counts('payments')).toEqual(counts);
        expect([await store.counts('payouts'), await store.counts('merchants')]).toEqual([[], []]);
        await store.drop('shop');
        expect(await store.counts('payments')).toEqual([{ ...counts[1], records: 1 }]);
      });

      it('counts correctly after records were changed, removed and wiped', async () => {
        const store = await storeWith(payment('payment-1'), payment('payment-2'));
        const stateCounts = async () =>
          (await store.counts('payments')).map(({ values, records }) => [values['state'], records]);
        await store.commit({ session: 'shop', changes: [put('payments', payment('payment-1', { state: 'Paid' }))] });
        expect(await stateCounts()).toEqual([
          ['Paid', 1],
          ['Processing', 1],
        ]);
        await store.commit({ session: 'shop', changes: [remove('payments', 'payment-2')] });
        expect(await stateCounts()).toEqual([['Paid', 1]]);
        await store.commit({ session: 'shop', wipe: true, changes: [put('payments', payment('payment-3'))] });
        expect(await stateCounts()).toEqual([['Processing', 1]]);
      });
    });

    describe('when something is committed', () => {
      it('shows it to all later reads, even before it is durable', async () => {
        const store = await storeWith();
        const durable = store.commit({ session: 'shop', changes: [put('payments', payment('payment-1'))] });
        expect(store.get('shop', 'payments', 'payment-1')).toBeDefined();
        await durable;
      });

      it('applies the changes of a commit in their order', async () => {
        const store = await storeWith(payment('payment-1'), payment('payment-2'));
        await store.commit({
          session: 'shop',
          changes: [remove('payments', 'payment-1'), put('payments', payment('payment-1', { state: 'Paid' }))],
        });
        const { items } = await store.list('shop', 'payments', { limit: 9 });
        expect(items.map(({ id, state }) => `${id} ${state}`)).toEqual(['payment-2 Processing', 'payment-1 Paid']);
      });

      it('applies nothing of a commit with an invalid change', async () => {
        const store = await storeWith();
        const invalid: RecordChange[] = [
          { collection: 'purses' as 'payments', id: 'purse-1', record: payment('purse-1') },
          { collection: 'payments', id: 'payment-2', record: payment('payment-3') },
        ];
        for (const change of invalid) {
          const changes = [put('payments', payment('payment-1')), change];
          await expect(store.commit({ session: 'shop', wipe: true, changes })).rejects.toThrow(/purses|payment-3/);
          expect(store.get('shop', 'payments', 'payment-1')).toBeUndefined();
        }
      });

      it('returns records that cannot be changed without a commit', async () => {
        const store = await storeWith(payment('payment-1'));
        const storedPayment = store.get('shop', 'payments', 'payment-1');
        expect(() => Object.assign(storedPayment ?? {}, { amount: 1 })).toThrow(TypeError);
        expect(() =>
          storedPayment?.history.push({ at: 0, from: null, to: 'Paid', cause: 'payer', code: null, description: null }),
        ).toThrow(TypeError);
        expect(store.get('shop', 'payments', 'payment-1')).toEqual(payment('payment-1'));
      });

      it('lists each session with its last committed state', async () => {
        const store = await open();
        await store.commit({ session: 'shop', state: state({ rngPosition: 1 }), changes: [] });
        await store.commit({ session: 'kiosk', state: state({ seed: 'another' }), changes: [] });
        await store.commit({ session: 'shop', state: state({ rngPosition: 2 }), changes: [] });
        await store.commit({ session: 'shop', changes: [] });
        expect(await store.sessions()).toEqual([
          { name: 'shop', state: state({ rngPosition: 2 }) },
          { name: 'kiosk', state: state({ seed: 'another' }) },
        ]);
      });

      it('refuses the first commit of a session if it has no state, which a later start needs', async () => {
        const store = await open();
        await expect(store.commit({ session: 'shop', changes: [] })).rejects.toThrow('state');
        expect(await store.sessions()).toEqual([]);
      });

      it('wipes the records of the session, and of no other session, before the changes apply', async () => {
        const store = await storeWith(payment('payment-1', { paymentCode: '444444444' }), payment('payment-2'));
        await store.commit({ session: 'kiosk', state: state(), changes: [put('payments', payment('payment-1'))] });
        await store.commit({
          session: 'shop',
          wipe: true,
          state: state({ rngPosition: 9 }),
          changes: [put('payments', payment('payment-3'))],
        });
        const { items } = await store.list('shop', 'payments', { limit: 9 });
        expect(items.map(({ id }) => id)).toEqual(['payment-3']);
        expect(store.find('shop', 'payments', 'paymentCode', '444444444')).toEqual([]);
        expect(store.get('kiosk', 'payments', 'payment-1')).toBeDefined();
      });

      it('drops a session with all its records, and ignores an unknown session', async () => {
        const store = await storeWith(payment('payment-1'));
        await store.drop('shop');
        await store.drop('nobody');
        expect(await store.sessions()).toEqual([]);
        expect(store.get('shop', 'payments', 'payment-1')).toBeUndefined();
      });

      it('separates sessions with the same ids and values, and with unusual names', async () => {
        const store = await open();
        const names = ['shop', 'SHOP', '__proto__', 'constructor', 'a/b.c "d"\n', 'ключ'];
        for (const [amount, session] of names.entries()) {
          await store.commit({ session, state: state(), changes: [put('payments', payment('payment-1', { amount }))] });
        }
        for (const [amount, session] of names.entries()) {
          const payments = store.find(session, 'payments', 'payerReference', 'reference of payment-1');
          expect(payments.map((each) => each.amount)).toEqual([amount]);
        }
        expect((await store.sessions()).map(({ name }) => name)).toEqual(names);
      });
    });

    if (engine.durable === true) {
      it('has the records of each session after a start, for any names in any order', async () => {
        const validName = fc.oneof(
          fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
          fc.constantFrom(
            '1',
            '10',
            '2',
            '0',
            '01',
            '4294967295',
            'constructor',
            'hasOwnProperty',
            'toString',
            'a__proto__',
          ),
        );
        const names = fc.uniqueArray(fc.oneof(validName, fc.constant('__proto__')), { minLength: 1, maxLength: 12 });
        await fc.assert(
          fc.asyncProperty(names, async (sessions) => {
            const folder = newFolder();
            const store = await engine.open(folder);
            for (const [amount, session] of sessions.entries()) {
              const changes = [put('payments', payment('payment-1', { amount }))];
              await store.commit({ session, state: state({ seed: session }), changes });
            }
            await store.close();
            const reopened = await open(folder);
            expect((await reopened.sessions()).map((stored) => [stored.name, stored.state.seed])).toEqual(
              sessions.map((session) => [session, session]),
            );
            for (const [amount, session] of sessions.entries()) {
              const { items } = await reopened.list(session, 'payments', { limit: 9 });
              expect(items).toEqual([payment('payment-1', { amount })]);
            }
            await reopened.close();
          }),
          { numRuns: cases(25), seed: 1 },
        );
      });
    }

    describe('when it is closed and opened again', () => {
      if (engine.durable === true) {
        it('has the same collections, states and order', async () => {
          const folder = newFolder();
          const store = await open(folder);
          const endpoint = {
            id: 'endpoint-1',
            url: 'http://127.0.0.1/',
            secret: 'whsec_c2VjcmV0',
            merchantId: null,
            types: null,
          };
          const facts = state({ rngPosition: 3, counters: { payment: 2 } });
          const payments = [payment('payment-2'), payment('payment-1', { description: '"\u2028\n🍋 \ud800' })];
          await store.commit({
            session: 'shop',
            state: facts,
            changes: [...payments.map((each) => put('payments', each)), put('endpoints', endpoint)],
          });
          await store.commit({ session: '__proto__', state: state(), changes: [put('endpoints', endpoint)] });
          await store.commit({ session: 'dropped', state: state(), changes: [] });
          await store.drop('dropped');
          await store.close();

          const reopened = await open(folder);
          expect(await reopened.sessions()).toEqual([
            { name: 'shop', state: facts },
            { name: '__proto__', state: state() },
          ]);
          expect((await reopened.list('shop', 'payments', { limit: 9 })).items).toEqual(payments);
          expect(reopened.get('shop', 'endpoints', 'endpoint-1')).toEqual(endpoint);
          expect(reopened.get('__proto__', 'endpoints', 'endpoint-1')).toEqual(endpoint);
        });
      } else {
        it(`has nothing: ${engine.durable.reason}`, async () => {
          const folder = newFolder();
          const store = await open(folder);
          await store.commit({ session: 'shop', state: state(), changes: [put('payments', payment('payment-1'))] });
          await store.close();
          expect(await (await open(folder)).sessions()).toEqual([]);
        });
      }
    });

    it('has the same records as a plain list after any sequence of changes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep(), { maxLength: 60 }), async (steps) => {
          const folder = newFolder();
          const model: Model = new Map();
          let store = await open(folder);
          for (const step of steps) {
            if (step === 'open again') {
              await store.close();
              store = await open(folder);
              if (engine.durable !== true) {
                model.clear();
              }
            } else if (typeof step === 'string') {
              await store.drop(step);
              model.delete(step);
            } else {
              await store.commit(step);
              applyTo(model, step);
            }
          }
          await expectSame(store, model);
          await store.close();
        }),
        { numRuns: cases(35), seed: 20_240_101 },
      );
    });
  });
}
