import type { Payment } from '../../base/schema/records.ts';
import { flowOfPayment } from '../domain/channels/channels.ts';
import type { FlowPage, PaymentPage, Visit } from '../domain/channels/flow.ts';
import { type DecisionResult, findNewestOnFlow, isOn, pagePaymentOf } from '../domain/pages/page-payment.ts';
import { messagePage, type PayerPage, type Redirect } from '../domain/pages/payer-page.tsx';
import { isPaidOtherwise, linkOf, returnAddress } from '../domain/pages/way-back.ts';
import type { Session } from '../sessions/session.ts';
import { expectPayment, pageOf } from './open-payment.ts';
import { cspOrigin } from './page-headers.ts';

/** What a visit of a flow's page leads to. Throws `unknown-record` where it is about a payment that there is not. */
export async function showFlowPage(page: FlowPage, visit: Visit): Promise<PayerPage | Redirect> {
  const result = page.reference ? await showPayment(page, visit) : await page.show(visit);
  return 'isAsDecided' in result ? redirectAfterDecision(visit.session, result) : result;
}

async function showPayment(page: PaymentPage, visit: Visit): Promise<PayerPage | Redirect | DecisionResult> {
  const { session, flow } = visit;
  const payment = expectPayment(await findNewestOnFlow(session, flow.name, page.reference(visit) ?? ''));
  return isOn(session, flow.name, payment)
    ? page.show({ ...visit, ...(await pagePaymentOf(session, payment)) })
    : wrongPage(session, payment);
}

/** What another flow's payment is answered with: where its own page is. */
function wrongPage(session: Session, payment: Payment): PayerPage {
  const { text, label } = flowOfPayment(payment, session.fixtures).wrongPageMessage;
  return messagePage(
    404,
    'Nothing to pay here',
    text,
    <a class="button" href={pageOf(session, payment)} data-testid="instead">
      {label}
    </a>,
  );
}

/**
 * Where a payer goes after deciding: to where the link's merchant said. Where somebody was faster, where there is no such
 * address, or none that the browser would follow a form to, the payment's own page says how it ended.
 */
async function redirectAfterDecision(session: Session, { payment, isAsDecided }: DecisionResult): Promise<Redirect> {
  const link = await linkOf(session, payment);
  const address = returnAddress(session, link, payment);
  const leadsBack = isAsDecided && !isPaidOtherwise(link, payment) && address && cspOrigin(address);
  return { location: leadsBack ? address : pageOf(session, payment) };
}
