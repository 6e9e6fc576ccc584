import { checkFormToken, formToken } from '../../pages/form-token.ts';
import { Handset } from '../../pages/handset.tsx';
import { liveStreamOf } from '../../pages/live-stream.ts';
import { showOutcome } from '../../pages/outcome.tsx';
import { type DecisionResult, decideOnce, findByReference } from '../../pages/page-payment.ts';
import { pathsOf } from '../../pages/paths.ts';
import { Field, type PayerPage, Problem, type Redirect, Token } from '../../pages/payer-page.tsx';
import { Summary } from '../../pages/payment-summary.tsx';
import { WORDS } from '../../pages/words.ts';
import { shopCodeIdIn } from '../../shop-codes/shop-code-text.ts';
import type { PaymentVisit, Visit } from '../flow.ts';
import { approvalPath, CODE_FORM_PATH } from './paths.ts';

/** Seconds after which a page without scripts reloads, because the payment may have been decided on another page. */
const REFRESH_SECONDS = 5;

/** The page that the QR code opens: the wallet asks the payer for approval. */
export function showApproval(visit: PaymentVisit): PayerPage {
  const { session, flow, parameters, payment, merchant, link } = visit;
  if (payment.state !== 'Processing') {
    return inHandset(visit, showOutcome(session, visit, payment.state));
  }
  return {
    title: WORDS.approvePayment,
    look: 'handset',
    links: link ? [link] : [],
    live: liveStreamOf(session, 'payment', payment.id, [payment, link]),
    refresh: REFRESH_SECONDS,
    content: (
      <Handset session={session} app={WORDS.wallet} flow={flow}>
        <div class="ask">
          <Summary payment={payment} merchant={merchant} session={session} />
          <dl class="facts">
            <dt>{WORDS.reference}</dt>
            <dd>{payment.payerReference}</dd>
            <dt>{WORDS.paymentCode}</dt>
            <dd>
              <code data-testid="payment-code">{payment.paymentCode}</code>
            </dd>
          </dl>
        </div>
        <form
          method="post"
          action={pathsOf(session).to(approvalPath(parameters['code'] ?? ''))}
          data-testid="approval-form"
        >
          <Token value={formToken(session, payment.id, 'approval')} />
          <button type="submit" name="action" value="approve" data-testid="approve">
            {WORDS.approve}
          </button>
          <button type="submit" name="action" value="cancel" class="second" data-testid="cancel">
            {WORDS.cancel}
          </button>
        </form>
      </Handset>
    ),
  };
}

function inHandset({ session, flow }: Visit, page: PayerPage): PayerPage {
  return {
    ...page,
    look: 'handset',
    content: (
      <Handset session={session} app={WORDS.wallet} flow={flow}>
        {page.content}
      </Handset>
    ),
  };
}

export async function submitApproval({ session, payment: { id }, form }: PaymentVisit): Promise<DecisionResult> {
  checkFormToken(session, id, 'approval', form['formToken']);
  return decideOnce(session, id, { to: form['action'] === 'approve' ? 'Paid' : 'Cancelled' });
}

/** The form for a payer without a camera, who enters a payment code or the text of an EMV shop code. */
export async function showCodeForm({
  session,
  flow,
  form: { paymentCode: code },
}: Visit): Promise<PayerPage | Redirect> {
  const enteredCode = code?.replace(/\s/g, '');
  const paths = pathsOf(session);
  if (enteredCode && (await findByReference(session, flow.name, enteredCode))) {
    return { location: paths.to(approvalPath(enteredCode)) };
  }
  const shopCodeId = shopCodeIdIn(code?.trim() ?? '');
  if (shopCodeId !== undefined && session.reader.get('shopCodes', shopCodeId)) {
    return { location: paths.scan(shopCodeId) };
  }
  return {
    ...(enteredCode ? { status: 404 } : {}),
    title: WORDS.enterCodeTitle,
    look: 'handset',
    content: (
      <Handset session={session} app={WORDS.wallet} flow={flow}>
        <form class="ask" method="get" action={paths.to(CODE_FORM_PATH)} data-testid="code-form">
          <h1>{WORDS.enterCode}</h1>
          <Problem text={enteredCode ? WORDS.unknownCode : undefined} />
          <Field
            class="code"
            id="paymentCode"
            label={WORDS.paymentCode}
            hint={WORDS.whereCodeIs}
            autocomplete="off"
            data-testid="code"
          />
          <button type="submit" data-testid="continue">
            {WORDS.continue}
          </button>
        </form>
      </Handset>
    ),
  };
}
