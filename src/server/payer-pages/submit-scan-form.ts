import { isTypedAmount, toMinorUnits } from '../../base/money.ts';
import { isRefusedAs, Refusal } from '../../base/refusal.ts';
import type { Payment, ShopCode } from '../../base/schema/generated/records.ts';
import { formIdOf } from '../domain/pages/form-token.ts';
import type { FormProblem, PageForm, PayerPage, Redirect } from '../domain/pages/payer-page.tsx';
import { WORDS } from '../domain/pages/words.ts';
import { choosePlan } from '../domain/scenarios/choose-plan.ts';
import { payShopCode, shopCodeChannel } from '../domain/shop-codes/shop-codes.ts';
import type { Session } from '../sessions/session.ts';
import { pagePathOf, paymentOfForm } from './open-payment.ts';
import { requireShopCode, showCancelledScan, showScan } from './shop-code-pages.tsx';

/** Initiates the payment of a scan and redirects to its page. A form that is sent again leads to the same payment. */
export async function submitScanForm(session: Session, id: string, form: PageForm): Promise<PayerPage | Redirect> {
  const code = requireShopCode(session, id);
  const formId = formIdOf(session, id, 'scan', form['formToken']);
  const earlierPayment = paymentOfForm(session.reader, formId);
  if (earlierPayment) {
    return { location: pagePathOf(session, earlierPayment) };
  }
  if (form['action'] === 'cancel') {
    return showCancelledScan(session, code);
  }
  if (!code.active) {
    return showScan(session, id);
  }
  const amountText = (form['amount'] ?? '').trim();
  if (code.amount === null && !isTypedAmount(amountText)) {
    return showScan(session, id, form, { text: WORDS.enterAmount });
  }
  try {
    const payment = await pay(session, code, formId, code.amount ?? toMinorUnits(amountText));
    return { location: pagePathOf(session, payment) };
  } catch (error) {
    if (error instanceof Refusal && !isRefusedAs(error, 'storage', 'moved', 'outcome-unknown')) {
      return showScan(session, id, form, problemOf(error));
    }
    throw error;
  }
}

async function pay(
  session: Session,
  { id, environment, description, reference }: ShopCode,
  formId: string,
  amount: number,
): Promise<Payment> {
  const channel = shopCodeChannel(session.reader).id;
  const body = { paymentDescription: description, payerReference: reference };
  const matchContext = { operation: 'payShopCode', environment, channel, body, amount };
  const { outcomePlan } = await choosePlan(session.reader, matchContext);
  return session.transact(async (transaction) => {
    // The same form may have been submitted while this one waited.
    const earlierPayment = paymentOfForm(transaction, formId);
    const code = transaction.get('shopCodes', id);
    if (!code) {
      throw new Refusal('unknown-record', 'this code no longer exists');
    }
    return earlierPayment ?? payShopCode(transaction, code, { amount, formId, outcomePlan });
  });
}

/** Explains a refusal to the payer; `reason` is for the developer. */
function problemOf(refusal: Refusal): FormProblem {
  const isAmount = refusal.findings.some(({ path }) => path === '$.amount');
  const text = isAmount ? WORDS.walletWithoutAmount : WORDS.cannotTake;
  return { text, reason: refusal.message };
}
