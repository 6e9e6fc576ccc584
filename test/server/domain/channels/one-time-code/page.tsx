import type { PaymentVisit } from '../../../../../src/server/domain/channels/flow.ts';
import { CodeField } from '../../../../../src/server/domain/pages/code-field.tsx';
import { checkFormToken, formToken } from '../../../../../src/server/domain/pages/form-token.ts';
import { liveStreamOf } from '../../../../../src/server/domain/pages/live-stream.ts';
import { showOutcome } from '../../../../../src/server/domain/pages/outcome.tsx';
import { type DecisionResult, decideOnce } from '../../../../../src/server/domain/pages/page-payment.ts';
import { pathsOf } from '../../../../../src/server/domain/pages/paths.ts';
import { type PayerPage, Problem, Token } from '../../../../../src/server/domain/pages/payer-page.tsx';
import { Summary } from '../../../../../src/server/domain/pages/payment-summary.tsx';
import { FlowIcon } from '../../../../../src/server/domain/pages/picture.tsx';

/** Asks for the code; after the decision, shows the outcome. */
export function showCode(visit: PaymentVisit, problem?: string): PayerPage {
  const { session, flow, payment, merchant, link } = visit;
  if (payment.state !== 'Processing') {
    return showOutcome(session, visit, payment.state);
  }
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: 'Pay with a code',
    look: 'sides',
    links: link ? [link] : [],
    live: liveStreamOf(session, 'payment', payment.id, [payment, link]),
    content: (
      <>
        <Summary payment={payment} merchant={merchant} session={session} />
        <div class="card">
          <Problem text={problem} />
          <form method="post" action={pathsOf(session).to(flow.pathOf(payment))} data-testid="code-form">
            <Token value={formToken(session, payment.id, 'code')} />
            <CodeField isWrong={problem !== undefined} maxLength={6}>
              The sandbox has sent <code data-testid="sent-code">{payment.paymentCode}</code>.
            </CodeField>
            <button type="submit" name="action" value="pay" data-testid="pay">
              <FlowIcon flow={flow} />
              Pay
            </button>
            <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid="cancel">
              Cancel
            </button>
          </form>
        </div>
      </>
    ),
  };
}

/** Decides a payment by its code. After a wrong code, the payer can try again. */
export async function submitCode(visit: PaymentVisit): Promise<PayerPage | DecisionResult> {
  const { session, payment, form } = visit;
  checkFormToken(session, payment.id, 'code', form['formToken']);
  if (form['action'] === 'cancel') {
    return decideOnce(session, payment.id, { to: 'Cancelled' });
  }
  return form['oneTimeCode']?.trim() === payment.paymentCode
    ? decideOnce(session, payment.id, { to: 'Paid' })
    : showCode(visit, 'This code is wrong. Check it and try again.');
}
