import type { Payment } from '../../../../../src/base/schema/generated/records.ts';
import { balanceOf } from '../../../../../src/server/domain/books/ledger/account-balances.ts';
import { balancesOf } from '../../../../../src/server/domain/books/ledger/running-balances.ts';
import type { Session } from '../../../../../src/server/sessions/session.ts';
import { sessionOnDisk } from '../../../sessions/session-under-test.ts';
import { payment } from '../../../store/samples.ts';

function pay(session: Session, id: string, merchantId: string): Promise<void> {
  return session.transact(async (transaction) => {
    const step = { at: transaction.now, from: 'Processing', to: 'Paid', cause: 'payer', code: null, description: null };
    const history = [{ ...step, move: transaction.next('move') }] as Payment['history'];
    transaction.put('payments', payment(id, { merchantId, state: 'Paid', history }));
  });
}

async function balancesOwed(session: Session): Promise<Record<string, number>> {
  const all = await session.read(async (reader) => (await balancesOf(reader)).accounts);
  const accounts = all.filter(({ account }) => account.startsWith('merchant:'));
  return Object.fromEntries(accounts.map((account) => [account.account, balanceOf(account)]));
}

it('running balances include each new move, and start at 0 after a reset of the session', async () => {
  const { session } = await sessionOnDisk();
  expect(await balancesOwed(session)).toEqual({});
  await pay(session, 'payment-1', 'ONE');
  expect(await balancesOwed(session)).toEqual({ 'merchant:ONE': 1000 });
  await pay(session, 'payment-2', 'TWO');
  await pay(session, 'payment-3', 'ONE');
  const bothBalances = { 'merchant:ONE': 2000, 'merchant:TWO': 1000 };
  expect(await Promise.all([balancesOwed(session), balancesOwed(session)])).toEqual([bothBalances, bothBalances]);
  await session.reset();
  await pay(session, 'payment-1', 'TWO');
  expect(await balancesOwed(session)).toEqual({ 'merchant:TWO': 1000 });
});

it('running balances never contain a change that was visible for a moment but not stored', async () => {
  const { session, disk } = await sessionOnDisk();
  await pay(session, 'payment-1', 'ONE');
  disk.isFull = true;
  const unwritten = pay(session, 'payment-2', 'TWO');
  await disk.commitRequest.promise;
  const balances = balancesOwed(session);
  await expect(unwritten).rejects.toMatchObject({ kind: 'storage' });
  expect(await balances).toEqual({ 'merchant:ONE': 1000 });
  disk.isFull = false;
  await pay(session, 'payment-2', 'THREE');
  expect(await balancesOwed(session)).toEqual({ 'merchant:ONE': 1000, 'merchant:THREE': 1000 });
});
