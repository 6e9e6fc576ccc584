import { Refusal } from '../refusal.ts';
import type { Session } from '../sessions/session.ts';
import { checkFormToken, formToken } from './form-token.ts';
import { type Page, Problem, type Redirect, Result, Summary, Token } from './page.tsx';
import { afterSettlement, findBy, settleOnce } from './payments.ts';

type Form = Readonly<Record<string, string>>;

/** What the QR code opens: the wallet asks whether to pay. */
export async function showApproval(session: Session, paymentCode: string): Promise<Page> {
  const { payment, merchant } = await findBy(session, 'paymentCode', paymentCode);
  if (payment.state !== 'Processing') {
    return { title: 'Payment', content: <Result payment={payment} merchant={merchant} session={session} /> };
  }
  return {
    title: 'Approve payment',
    content: (
      <div class="card">
        <Summary payment={payment} merchant={merchant} session={session} />
        <p class="quiet">
          Payment code <code data-testid="payment-code">{paymentCode}</code>
        </p>
        <form method="post" action={session.addresses.approval(paymentCode)} data-testid="approval-form">
          <Token value={formToken(session, payment.id, 'approval')} />
          <button type="submit" name="action" value="approve" data-testid="approve">
            Approve
          </button>
          <button type="submit" name="action" value="decline" class="second" data-testid="decline">
            Decline
          </button>
        </form>
      </div>
    ),
  };
}

export async function takeApproval(session: Session, paymentCode: string, form: Form): Promise<Redirect> {
  const { payment } = await findBy(session, 'paymentCode', paymentCode);
  checkFormToken(session, payment.id, 'approval', form['formToken']);
  await settleOnce(session, payment.id, { to: form['action'] === 'approve' ? 'Paid' : 'Cancelled', cause: 'payer' });
  return afterSettlement(session, payment.id);
}

/** For a payer who has the code but no camera. */
export async function showCodeForm(session: Session, code: string | undefined): Promise<Page | Redirect> {
  const typed = code?.replace(/\s/g, '');
  let problem: string | undefined;
  if (typed) {
    try {
      await findBy(session, 'paymentCode', typed);
      return { location: session.addresses.approval(typed) };
    } catch (error) {
      if (!(error instanceof Refusal)) {
        throw error;
      }
      problem = 'There is no payment with this code.';
    }
  }
  return {
    ...(problem === undefined ? {} : { status: 404 }),
    title: 'Enter payment code',
    content: (
      <div class="card">
        <h1>Enter your payment code</h1>
        <Problem text={problem} />
        <form method="get" action={`${session.addresses.base}/pay/approve`} data-testid="code-form">
          <div class="field">
            <label for="paymentCode">Payment code</label>
            <input
              id="paymentCode"
              name="paymentCode"
              inputMode="numeric"
              autocomplete="off"
              required
              data-testid="code"
            />
          </div>
          <button type="submit" data-testid="continue">
            Continue
          </button>
        </form>
      </div>
    ),
  };
}
