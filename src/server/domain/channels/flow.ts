import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Instant } from '../../../base/time.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { DecisionResult, PagePayment } from '../pages/page-payment.ts';
import type { PageForm, PayerPage, Redirect } from '../pages/payer-page.tsx';

/**
 * A way to ask the payer to pay: everything in which flows differ. Texts and codes of channels are in fixtures/channels.json, which
 * names the flow of each channel.
 */
export interface Flow {
  readonly name: string;
  /** Whether the payer is prompted on a phone, so that payerMobile is needed. */
  readonly needsMobile: boolean;
  /** Whether payers scan a code, so that shop codes can be paid on this flow. */
  readonly isScanned: boolean;
  createReferences(transaction: Transaction, order: FlowOrder): FlowReferences;
  /** The path, below the session's address, of the page on which the payer decides and then sees the outcome. */
  pathOf(payment: Payment): string;
  /** Each page loads its module at the first visit, so that the sandbox starts faster. */
  readonly pages: readonly FlowPage[];
  /** Shown to a payer who opens a payment of this flow on another flow's page: a text, and the label of the button to the right page. */
  readonly wrongPageMessage: { text: string; label: string };
  /** An SVG path of lines in a square of 16 by 16. */
  readonly icon: string;
}

export interface FlowOrder {
  merchantId: string;
  payerReference: string;
  expiresAt: Instant;
  /** Appended to card payment ids. */
  nodeSuffix: string;
}

export interface FlowReferences {
  paymentId: string;
  paymentCode: string | null;
  paymentToken: string | null;
}

/** A page of a flow, below /pay. A GET changes nothing. */
export type FlowPage = PaymentPage | OtherPage;

interface PageAddress {
  method: 'GET' | 'POST';
  /** `{name}` matches one segment. */
  path: string;
  /** The values of `action` that the buttons of a POST send; coverage reports them. The first is used for a missing or unknown value. */
  actions?: readonly string[];
}

/** A page of one payment. If the payment has another flow, the payer gets a link to the right page instead. */
export interface PaymentPage extends PageAddress {
  /** The paymentId or paymentCode in a visit. */
  reference(visit: Visit): string | undefined;
  handle(visit: PaymentVisit): Promise<PayerPage | Redirect | DecisionResult>;
}

interface OtherPage extends PageAddress {
  reference?: undefined;
  handle(visit: Visit): Promise<PayerPage | Redirect | DecisionResult>;
}

export interface Visit {
  session: Session;
  flow: Flow;
  parameters: Readonly<Record<string, string>>;
  form: PageForm;
}

export type PaymentVisit = Visit & PagePayment;
