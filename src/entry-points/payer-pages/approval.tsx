import { shopCodeIdIn } from '../../domain/wire/shop-code.ts';
import type { Session } from '../../sessions/session.ts';
import { checkFormToken, formToken } from './form-token.ts';
import { Handset } from './handset.tsx';
import { follow } from './live.ts';
import { showOutcome } from './outcome.tsx';
import { type Form, type Page, Problem, type Redirect, Token } from './page.tsx';
import { pathsOf } from './paths.ts';
import { findOn, leadOn, lookUp, settleOnce } from './payments.ts';
import { Summary } from './summary.tsx';

/** Seconds after which an approval without scripts looks whether it was settled elsewhere. */
const REFRESH = 5;

/** What the QR code opens: the wallet asks whether to pay. */
export async function showApproval(session: Session, paymentCode: string): Promise<Page> {
  const found = await findOn(session, 'qr-code', paymentCode);
  if ('content' in found) {
    return found;
  }
  const { payment, merchant, link } = found;
  if (payment.state !== 'Processing') {
    return inHandset(session, showOutcome(session, found, payment.state));
  }
  return {
    title: 'Approve payment',
    look: 'handset',
    links: link ? [link] : [],
    live: follow(session, 'payment', payment.id, [payment, link]),
    refresh: REFRESH,
    content: (
      <Handset session={session} app="Wallet" icon="qr-code">
        <div class="ask">
          <Summary payment={payment} merchant={merchant} session={session} />
          <dl class="facts">
            <dt>Reference</dt>
            <dd>{payment.payerReference}</dd>
            <dt>Payment code</dt>
            <dd>
              <code data-testid="payment-code">{payment.paymentCode}</code>
            </dd>
          </dl>
        </div>
        <form method="post" action={pathsOf(session).approval(paymentCode)} data-testid="approval-form">
          <Token value={formToken(session, payment.id, 'approval')} />
          <button type="submit" name="action" value="approve" data-testid="approve">
            Approve
          </button>
          <button type="submit" name="action" value="decline" class="second" data-testid="decline">
            Decline
          </button>
        </form>
      </Handset>
    ),
  };
}

function inHandset(session: Session, page: Page): Page {
  return {
    ...page,
    look: 'handset',
    content: (
      <Handset session={session} app="Wallet" icon="qr-code">
        {page.content}
      </Handset>
    ),
  };
}

export async function takeApproval(session: Session, paymentCode: string, form: Form): Promise<Page | Redirect> {
  const found = await findOn(session, 'qr-code', paymentCode);
  if ('content' in found) {
    return found;
  }
  const { id } = found.payment;
  checkFormToken(session, id, 'approval', form['formToken']);
  return leadOn(session, await settleOnce(session, id, { to: form['action'] === 'approve' ? 'Paid' : 'Cancelled' }));
}

/** For a payer who has the code but no camera; it may be what a shop code of EMVCo's says, too. */
export async function showCodeForm(session: Session, code: string | undefined): Promise<Page | Redirect> {
  const typed = code?.replace(/\s/g, '');
  const paths = pathsOf(session);
  if (typed && (await lookUp(session, 'qr-code', typed))) {
    return { location: paths.approval(typed) };
  }
  const shopCodeId = shopCodeIdIn(code?.trim() ?? '');
  if (shopCodeId !== undefined && (await session.get('shopCodes', shopCodeId))) {
    return { location: paths.scan(shopCodeId) };
  }
  return {
    ...(typed ? { status: 404 } : {}),
    title: 'Enter payment code',
    look: 'handset',
    content: (
      <Handset session={session} app="Wallet" icon="qr-code">
        <form class="ask" method="get" action={`${paths.base}/pay/approve`} data-testid="code-form">
          <h1>Enter your payment code</h1>
          <Problem text={typed ? 'There is no payment with this code.' : undefined} />
          <div class="field">
            <label for="paymentCode">Payment code</label>
            <input class="code" id="paymentCode" name="paymentCode" autocomplete="off" required data-testid="code" />
          </div>
          <button type="submit" data-testid="continue">
            Continue
          </button>
        </form>
      </Handset>
    ),
  };
}
