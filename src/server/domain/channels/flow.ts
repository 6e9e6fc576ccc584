import type { Payment } from '../../../base/schema/generated/records.ts';
import type { Instant } from '../../../base/time.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { DecisionResult, PagePayment } from '../pages/page-payment.ts';
import type { PageForm, PayerPage, Redirect } from '../pages/payer-page.tsx';

/**
 * How a payer is asked: all in which one flow differs from another. The channel's words and codes are in
 * fixtures/channels.json, which names the flow.
 */
export interface Flow {
  readonly name: string;
  /** Whether the payer is prompted on a phone, so that payerMobile is needed. */
  readonly needsMobile: boolean;
  /** Whether payers scan, so that the codes of shops can be paid on it. */
  readonly isScanned: boolean;
  /** The references that a new payment on this flow is known by. */
  references(transaction: Transaction, order: FlowOrder): Promise<FlowReferences>;
  /** Below a session's address: the page on which a payment's payer decides, and sees how it ended. */
  pathOf(payment: Payment): string;
  /** Its rows of THE TABLE of pages. They load their content on use, because this module is loaded at the start. */
  readonly pages: readonly FlowPage[];
  /** Text, and label of the button to the right page, for a payer who opens one of its payments on another flow's page. */
  readonly wrongPageMessage: { text: string; label: string };
  /** Its picture, by lines on 16 by 16. */
  readonly icon: string;
}

/** The input of a flow when it chooses the references of a payment. */
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

/** A page that a flow has, below /pay. A GET changes nothing. */
export type FlowPage = PaymentPage | OtherPage;

interface PageAddress {
  method: 'GET' | 'POST';
  /** `{name}` matches one segment. */
  path: string;
  /** For a POST, the values of `action` that its buttons send, for coverage. The first is the default, also for an unknown value. */
  actions?: readonly string[];
}

/** A page about one payment. For a payment of another flow, the payer gets a link to the right page instead. */
export interface PaymentPage extends PageAddress {
  /** The paymentId or paymentCode that a visit is about. */
  reference(visit: Visit): string | undefined;
  show(visit: PaymentVisit): Promise<PayerPage | Redirect | DecisionResult>;
}

interface OtherPage extends PageAddress {
  reference?: undefined;
  show(visit: Visit): Promise<PayerPage | Redirect | DecisionResult>;
}

export interface Visit {
  session: Session;
  /** The flow whose page it is. */
  flow: Flow;
  parameters: Readonly<Record<string, string>>;
  /** A form's fields, or the query of a GET. */
  form: PageForm;
}

export type PaymentVisit = Visit & PagePayment;
