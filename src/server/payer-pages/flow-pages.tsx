import type { Payment } from '../../base/schema/records.ts';
import { flowOfPayment } from '../domain/channels/channels.ts';
import type { FlowPage, PaymentPage, Visit } from '../domain/channels/flow.ts';
import { type DecisionResult, findNewestOnFlow, isOn, pagePaymentOf } from '../domain/pages/page-payment.ts';
import { messagePage, type PayerPage, type Redirect } from '../domain/pages/payer-page.tsx';
import { isPaidOtherwise, wayBack } from '../domain/pages/way-back.ts';
import { WORDS } from '../domain/pages/words.ts';
import { linkOf } from '../domain/payments/once-off-link.ts';
import type { Session } from '../sessions/session.ts';
import { expectPayment, pageOf } from './open-payment.ts';
import { nameableOrigin } from './page-headers.ts';

/** What a visit of a flow's page leads to. Throws `unknown-record` where it is about a payment that there is not. */
export async function showFlowPage(page: FlowPage, visit: Visit): Promise<PayerPage | Redirect> {
  const shown = page.reference ? await showPayment(page, visit) : await page.show(visit);
  return 'isAsDecided' in shown ? leadOn(visit.session, shown) : shown;
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
  const { text, label } = flowOfPayment(payment, session.fixtures).elsewhere;
  return messagePage(
    404,
    WORDS.nothingToPay,
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
async function leadOn(session: Session, { payment, isAsDecided }: DecisionResult): Promise<Redirect> {
  const link = await linkOf(session.reader, payment);
  const address = wayBack(session, link, payment);
  const leadsBack = isAsDecided && !isPaidOtherwise(link, payment) && address && nameableOrigin(address);
  return { location: leadsBack ? address : pageOf(session, payment) };
}
