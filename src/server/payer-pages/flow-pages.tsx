import type { Payment } from '../../base/schema/generated/records.ts';
import { flowOfPayment } from '../domain/channels/channels.ts';
import type { FlowPage, PaymentPage, Visit } from '../domain/channels/flow.ts';
import { type DecisionResult, findByReference, isOnFlow, pagePaymentOf } from '../domain/pages/page-payment.ts';
import { messagePage, type PayerPage, type Redirect } from '../domain/pages/payer-page.tsx';
import { isPaidByOther, returnAddress } from '../domain/pages/return-address.ts';
import { WORDS } from '../domain/pages/words.ts';
import { linkOf } from '../domain/payments/link-of-payment.ts';
import type { Session } from '../sessions/session.ts';
import { pagePathOf, requirePayment } from './open-payment.ts';
import { cspOrigin } from './page-headers.ts';

/** Shows a page of a flow, or handles its form and then redirects. Throws `unknown-record` if its payment does not exist. */
export async function handleFlowVisit(page: FlowPage, visit: Visit): Promise<PayerPage | Redirect> {
  const result = page.reference ? await showPayment(page, visit) : await page.handle(visit);
  return 'isAsDecided' in result ? redirectAfterDecision(visit.session, result) : result;
}

async function showPayment(page: PaymentPage, visit: Visit): Promise<PayerPage | Redirect | DecisionResult> {
  const { session, flow } = visit;
  const payment = requirePayment(await findByReference(session, flow.name, page.reference(visit) ?? ''));
  return isOnFlow(session, flow.name, payment)
    ? page.handle({ ...visit, ...(await pagePaymentOf(session, payment)) })
    : renderWrongPage(session, payment);
}

/** A page that links to the right one, because the payment belongs to another flow. */
function renderWrongPage(session: Session, payment: Payment): PayerPage {
  const { text, label } = flowOfPayment(payment, session.fixtures).wrongPageMessage;
  return messagePage(
    404,
    WORDS.nothingToPay,
    text,
    <a class="button" href={pagePathOf(session, payment)} data-testid="instead">
      {label}
    </a>,
  );
}

/**
 * After a payer's decision, redirects to the merchant's address in the link. Redirects to the payment's own page if there is no such
 * address, the payment has another outcome than this payer chose, another payment paid the link, or browsers would not follow the redirect.
 */
async function redirectAfterDecision(session: Session, { payment, isAsDecided }: DecisionResult): Promise<Redirect> {
  const link = linkOf(session.reader, payment);
  const address = returnAddress(session, link, payment);
  const leadsBack = isAsDecided && !isPaidByOther(link, payment) && address && cspOrigin(address);
  return { location: leadsBack ? address : pagePathOf(session, payment) };
}
