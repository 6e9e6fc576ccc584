// Generated from schemas/ by `npm run generate`. Do not edit.
import type {
  AmountRange,
  AmountRange1,
  AnswerMember,
  BankMistake,
  NotificationRules,
  OperationName,
  Profiles,
  ScenarioFixture,
  SettlementMistake,
  User,
  WebhookBehaviour,
} from './fixtures.ts';
import type { DecidedBy, Move } from './records.ts';

export type {
  AmountRange,
  AmountRange1,
  AnswerMember,
  BankMistake,
  DecidedBy,
  Move,
  NotificationRules,
  OperationName,
  Profiles,
  ScenarioFixture,
  SettlementMistake,
  User,
  WebhookBehaviour,
};

/**
 * What happens to a payment after it was paid.
 */
export interface AdjustmentChoice {
  kind: 'refund' | 'reversal' | 'chargeback' | 'chargeback-reversed';
  /**
   * a decimal above 0.00 with two places (default: the remaining amount; for a reversed chargeback, the amount that is still charged back)
   */
  amount?: string;
  code?: string;
  description?: string;
}

/**
 * A business date on a merchant's account.
 */
export interface BalanceDayView {
  merchantId: string;
  environment: 'production' | 'sandbox';
  currency: string;
  /**
   * the day that its cut-off ends
   */
  businessDate: string;
  /**
   * open while one of its settlements is open: its figures are the current ones
   */
  status: 'open' | 'closed';
  /**
   * the closing balance of the previous business date; 0.00 on the first
   */
  opening: string;
  /**
   * the sum over all lines of the day
   */
  gross: string;
  /**
   * below 0 if the merchant bears it
   */
  fee: string;
  /**
   * gross + fee
   */
  net: string;
  /**
   * the amount that its settlements sent to the bank; below 0 if they collected it
   */
  transferred: string;
  /**
   * amount that was added to the month's invoice; below 0, because the merchant owes it
   */
  invoiced: string;
  /**
   * opening + net - transferred - invoiced
   */
  closing: string;
  /**
   * the settlements of the day, whose files have its lines
   */
  settlementIds: string[];
}

/**
 * Which business dates.
 */
export interface BalanceDaysQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  merchantId?: string;
  environment?: 'production' | 'sandbox';
  currency?: string;
  /**
   * the first business date
   */
  from?: string;
  /**
   * the last business date
   */
  to?: string;
}

/**
 * The amounts owed to a merchant in one environment and currency, by the progress of their settlement.
 */
export interface BalanceView {
  merchantId: string;
  environment: 'production' | 'sandbox';
  currency: string;
  /**
   * the sum of the moves since the last close, which are in open settlements
   */
  pending: string;
  /**
   * amount that was closed and not transferred; below 0 if the merchant owes it
   */
  available: string;
  /**
   * transfers that are on their way to the bank, or, below 0, from it; not a part of the balance
   */
  inTransit: string;
  /**
   * pending + available: the balance of the merchant's ledger account
   */
  balance: string;
}

/**
 * Which balances.
 */
export interface BalancesQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  merchantId?: string;
  environment?: 'production' | 'sandbox';
  currency?: string;
}

/**
 * What a reconciliation of the shown bank statement should find.
 */
export interface BankStatementKey {
  statementId: string;
  date: string;
  /**
   * their differences add up to the shown entries less the booked ones. If the opening balances differ, earlier statements have findings
   */
  findings: {
    /**
     * arrived: missing from an earlier statement, and in this one
     */
    kind: BankMistake | 'arrived';
    /**
     * for an unknown credit, the settlement after whose transfer it is listed
     */
    settlementId: string;
    /**
     * the reference of the transfer; for an unknown credit, the shown one
     */
    reference: string;
    /**
     * ids of entries in the shown statement; empty if it has none
     */
    shownEntries: string[];
    /**
     * the member that differs; `entry` for a whole entry
     */
    field: string;
    expected: string | number | null;
    shown: string | number | null;
    /**
     * shown less booked, in minor units
     */
    difference: number;
    verdict: 'investigate' | 'wait' | 'ignore';
    /**
     * the day whose statement has it; null if none has it
     */
    resolvedOn: string | null;
  }[];
  /**
   * kinds of mistakes that the settlement's transfer did not get
   */
  skipped: BankMistake[];
  booked: {
    /**
     * of entries
     */
    count: number;
    opening: number;
    closing: number;
  };
  shown: {
    /**
     * of entries
     */
    count: number;
    opening: number;
    closing: number;
  };
}

/**
 * Which form and day of a bank statement.
 */
export interface BankStatementQuery {
  /**
   * default: json
   */
  format?: 'json' | 'camt.053' | 'mt940' | 'csv';
  /**
   * shown: as merchants get it; booked: as in the books; default: shown
   */
  as?: 'shown' | 'booked';
  /**
   * a day of the account, such as 2026-03-05; default: the day on which the bank books the transfer
   */
  date?: string;
}

/**
 * The bank's entries on a merchant's account on one day: money in minor units.
 */
export interface BankStatement {
  /**
   * made of account, environment, currency and day; the same for the booked and the shown statement
   */
  id: string;
  /**
   * preliminary until the day has ended by the session's clock, because further entries may follow
   */
  status: 'preliminary' | 'final';
  /**
   * the day of its entries, in the settlements' zone
   */
  date: string;
  /**
   * number of the statement in its year: 1 on January 1
   */
  number: number;
  /**
   * the end of the day, or now on the day itself
   */
  createdAt: string;
  environment: 'production' | 'sandbox';
  bank: Bank;
  currency: string;
  /**
   * balance before the day: the sum of all entries of earlier days, because the account begins with 0
   */
  opening: number;
  /**
   * opening balance plus entries
   */
  closing: number;
  entries: {
    /**
     * the bank's own reference
     */
    id: string;
    /**
     * return: a transfer that was sent back. payout: a debit for a payout, or a credit that arrived. payout-return: a credit that failed or was returned
     */
    type: 'transfer' | 'return' | 'payout' | 'payout-return';
    bookingDate: string;
    valueDate: string;
    /**
     * above 0 for a credit, below 0 for a debit
     */
    amount: number;
    direction: 'credit' | 'debit';
    currency: string;
    /**
     * end-to-end reference: the settlement's id, or the payerReference of the payout
     */
    reference: string;
    /**
     * not in the entries of a payout
     */
    settlementId?: string;
    /**
     * only in the entries of a payout
     */
    payoutId?: string;
    /**
     * number of the payout's credit, if the entry is about a single one
     */
    credit?: number;
    remittance: string;
    /**
     * the other party; empty if a payout pays several
     */
    counterparty: string;
    /**
     * why it was returned
     */
    code: string;
    /**
     * the same in words
     */
    description: string;
  }[];
}

/**
 * the bank account to which it is transferred
 */
export interface Bank {
  bankBICCode: string;
  accountNumber: string;
}

/**
 * Which behaviour a session has.
 */
export interface BehaviourChoice {
  name: string;
}

/**
 * A call of the merchant API was logged; getRequest returns the whole call.
 */
export interface CallNotice {
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  milliseconds: number;
  method: string;
  path: string;
  operation: string | null;
  environment: 'production' | 'sandbox' | null;
  merchantId: string | null;
  /**
   * the merchant's reference of the record that the call is about, such as its payerReference
   */
  reference: string | null;
  outcome: string | null;
  /**
   * null if no answer was sent
   */
  status: number | null;
  /**
   * number
   */
  findings: number;
}

/**
 * A change of a record that has no event.
 */
export interface ChangeNotice {
  collection: string;
  id: string;
  isRemoved: boolean;
}

/**
 * A channel as the control API shows it.
 */
export interface ChannelView {
  /**
   * its id in fixtures/channels.json
   */
  id: string;
  /**
   * its display name
   */
  label: string;
  /**
   * its name in requests
   */
  walletName: string;
  /**
   * whether a payment needs `payerMobile`
   */
  needsMobile: boolean;
}

/**
 * How far a clock is advanced.
 */
export interface ClockAdvance {
  /**
   * a duration such as 15m or PT15M
   */
  by: string;
}

/**
 * what happened; request.answered and missed occur in streams only
 */
export type EventType =
  | 'session.reset'
  | 'session.restored'
  | 'fixtures.reloaded'
  | 'fixtures.refused'
  | 'secret.revealed'
  | 'merchant.registered'
  | 'payment.created'
  | 'payment.wrong-pin'
  | 'payment.paid'
  | 'payment.failed'
  | 'payment.cancelled'
  | 'payment.expired'
  | 'payment.refunded'
  | 'payment.reversed'
  | 'payment.charged-back'
  | 'payment.chargeback-reversed'
  | 'payout.created'
  | 'payout.paid'
  | 'payout.failed'
  | 'payout.partly-paid'
  | 'payout.credit-paid'
  | 'payout.credit-failed'
  | 'payout.credit-returned'
  | 'link.created'
  | 'link.updated'
  | 'recurring.added'
  | 'recurring.charged'
  | 'recurring.failed'
  | 'recurring.completed'
  | 'recurring.cancelled'
  | 'token.created'
  | 'shop-code.created'
  | 'shop-code.deactivated'
  | 'settlement.created'
  | 'settlement.paid'
  | 'settlement.returned'
  | 'settlement.invoiced'
  | 'settlement.report-issued'
  | 'delivery.succeeded'
  | 'delivery.failed'
  | 'delivery.given-up'
  | 'endpoint.halted'
  | 'endpoint.switched-off'
  | 'endpoint.resumed'
  | 'job.failed'
  | 'request.answered'
  | 'missed';

/**
 * The time of a session, and the effects of a move of its clock.
 */
export interface ClockView {
  mode: 'real' | 'frozen';
  /**
   * an ISO 8601 timestamp in UTC
   */
  now: string;
  /**
   * how far a real clock is ahead of the machine's, to the second; null if it is not ahead, and for a frozen clock
   */
  ahead: string | null;
  nextDue: string | null;
  /**
   * the job that is due then; null if no job is due, or if a waiting call is due
   */
  next: null | {
    kind: string;
    collection: string;
    recordId: string;
  };
  /**
   * the first 10,000 events of the move. On a frozen clock, what earlier calls made due at once, such as a notification, is finished before the move begins, and is not among them
   */
  happened?: EventView[];
  /**
   * number of events after the last one in the list
   */
  more?: number;
}

/**
 * Something that happened in a session.
 */
export interface EventView {
  /**
   * counted from 1; a call, which is not an event itself, has the number of the last event before its end
   */
  id: number;
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  type: EventType;
  collection: string | null;
  /**
   * the record that it is about
   */
  subjectId: string | null;
  subject?: SubjectView;
  /**
   * the call of the merchant API that caused it; null if none did, for example if the clock or a payer did
   */
  requestId: string | null;
  data: {
    [k: string]: unknown;
  };
}

/**
 * The record that something is about, with its reference. Absent without a record, such as for a sample of the webhook tester; of the events, only those of the event log have it.
 */
export interface SubjectView {
  /**
   * the merchant's own reference; for a settlement, its business date
   */
  reference: string;
  /**
   * null for records without one, such as a payment token or an open settlement
   */
  amount: string | null;
  currency: string | null;
}

/**
 * The mode and time of a session's clock.
 */
export interface ClockSetting {
  mode: 'real' | 'frozen';
  /**
   * the time of a frozen clock; default: its current time
   */
  now?: string;
}

export type CoverageClass = 'outcomes' | 'faults' | 'notifications' | 'pages';

/**
 * Which outcomes, faults and notifications the code under test has encountered. It does not show whether that code handled them correctly.
 */
export interface CoverageView {
  /**
   * the share that was seen, rounded down; all classes have the same weight, regardless of their number of cells
   */
  percent: number;
  classes: {
    class: CoverageClass;
    seen: number;
    reachable: number;
  }[];
  cells: CoverageCell[];
}

export interface CoverageCell {
  class: CoverageClass;
  /**
   * the channel, `payouts`, the operation, event or page
   */
  of: string;
  /**
   * the outcome with its code, the fault, the delivery mode, or the payer's action
   */
  what: string;
  /**
   * produced: the sandbox did it; delivered: a receiver answered, but did not accept it; seen: the code under test acknowledged it, got it as an answer, or was affected by it. Only seen counts
   */
  degree: 'never' | 'produced' | 'delivered' | 'seen';
  /**
   * a line of a test that would produce it; `session` is the sandbox's client, `page` Playwright's page, `reference` that of your order or payout
   */
  try: string;
}

/**
 * The outcome of a payout's credit: Paid or Failed if it is Processing, Returned if it is Paid.
 */
export interface CreditOutcomeChoice {
  outcome: 'Paid' | 'Failed' | 'Returned';
  /**
   * any code; for a code in payouts.json, the default description is its reason
   */
  code?: string;
  description?: string;
}

/**
 * Which notifications.
 */
export interface DeliveriesQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  /**
   * held: the queue of its endpoint is halted
   */
  state?: 'pending' | 'held' | 'delivered' | 'failed' | 'dropped';
  /**
   * event type, e.g. payment.paid
   */
  type?: string;
  /**
   * id of the payment or payout that it is about
   */
  subjectId?: string;
  url?: string;
  /**
   * webhook-id header, the same for retries and duplicates
   */
  webhookId?: string;
  merchantId?: string;
}

/**
 * A notification was created, attempted or requested again; getDelivery returns the whole notification.
 */
export interface DeliveryNotice {
  id: string;
  /**
   * event type, e.g. payment.paid
   */
  type: string;
  /**
   * id of the payment or payout that it is about
   */
  subjectId: string;
  /**
   * held: the queue of its endpoint is halted
   */
  state: 'pending' | 'held' | 'delivered' | 'failed' | 'dropped';
  /**
   * number
   */
  attempts: number;
  /**
   * the last attempt
   */
  last: null | {
    /**
     * an ISO 8601 timestamp in UTC
     */
    at: string;
    status: number | null;
    error: string | null;
    milliseconds: number;
  };
  nextAttemptAt: string | null;
}

/**
 * why the record is in its state, who was notified, and what is planned next; the texts of its parts, joined, make the whole sentence
 */
export type Sentence = SentencePart[];

/**
 * A notification as the control API shows it.
 */
export interface DeliveryView {
  /**
   * delivery-1, delivery-2, …
   */
  id: string;
  /**
   * webhook-id header, the same for retries and duplicates
   */
  webhookId: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  endpointId: string | null;
  url: string;
  /**
   * event type, e.g. payment.paid
   */
  type: string;
  /**
   * id of the payment or payout that it is about
   */
  subjectId: string;
  subject?: SubjectView;
  merchantId: string | null;
  /**
   * the exact text that is signed and sent
   */
  body: string;
  webhookBehaviour: WebhookBehaviour;
  /**
   * the behaviour that determines how it is sent; omitted if none does
   */
  behaviour?: string;
  rules?: NotificationRules;
  /**
   * the address in whose queue it waits, if that can be halted
   */
  queue?: string;
  /**
   * number of attempts before its queue was resumed, after which the intervals began again
   */
  attemptsBefore?: number;
  /**
   * its mistake, if it was forged
   */
  forgery?: 'wrong-signature' | 'unsigned' | 'old-timestamp' | 'wrong-amount' | 'wrong-currency' | 'unknown-reference';
  /**
   * whether it is a sample of the webhook tester, which is attempted once
   */
  isTest: boolean;
  /**
   * how often it was requested again
   */
  replays: number;
  /**
   * held: the queue of its endpoint is halted
   */
  state: 'pending' | 'held' | 'delivered' | 'failed' | 'dropped';
  attempts: {
    /**
     * an ISO 8601 timestamp in UTC
     */
    at: string;
    headers: Headers;
    status: number | null;
    ms: number;
    error: string | null;
    response: string | null;
  }[];
  failure?: Failure;
  sentence?: Sentence;
  nextAttemptAt: string | null;
}

/**
 * the headers that were sent, by name
 */
export interface Headers {
  [k: string]: string;
}

/**
 * why the sandbox could not carry out its due job
 */
export interface Failure {
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  reason: string;
}

export interface SentencePart {
  text: string;
  /**
   * the collection of the linked record
   */
  collection?: string;
  /**
   * the id of the linked record
   */
  id?: string;
  /**
   * an instant in the future: the text is the time until then
   */
  until?: string;
}

/**
 * The secret that signs the notifications to an address.
 */
export interface EndpointSecret {
  id: string;
  url: string;
  secret: string;
}

/**
 * Where notifications go, with the secret that signs them.
 */
export interface EndpointView {
  id: string;
  url: string;
  /**
   * whsec_…, signs by Standard Webhooks; *** if it is masked
   */
  secret: string;
  /**
   * null for all merchants
   */
  merchantId: string | null;
  /**
   * event types; null: all
   */
  types: null | string[];
  /**
   * where it was set
   */
  source: 'session' | 'merchant' | 'setting';
  /**
   * the state of its queue: a behaviour may halt it or switch the endpoint off, and in a fork it begins paused; failed attempts are only counted under such a behaviour
   */
  queue: {
    /**
     * paused: a fork sends nothing until it is resumed
     */
    state: 'open' | 'halted' | 'off' | 'paused';
    /**
     * failed attempts in a row
     */
    failures: number;
    failingSince: string | null;
  };
}

/**
 * Which members of the endpoints to show.
 */
export interface EndpointsQuery {
  /**
   * false masks the secrets; default: true
   */
  secrets?: boolean;
}

/**
 * Where notifications go.
 */
export interface EndpointsView {
  endpoints: EndpointView[];
}

/**
 * Which events.
 */
export interface EventLogQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  type?: EventType;
  collection?: string;
  subjectId?: string;
  requestId?: string;
}

/**
 * Where an event stream begins.
 */
export interface EventsQuery {
  /**
   * the event after which the stream begins; default: only new events
   */
  since?: number;
  /**
   * whether calls of the merchant API are shown, too, as request.answered
   */
  calls?: boolean;
}

/**
 * What to examine, and for how long. The shop is that with which the sandbox was started.
 */
export interface ExaminationStart {
  /**
   * ids of invariants, situations and channels (default: all)
   *
   * @maxItems 100
   */
  only?: string[];
  /**
   * of every order, a decimal above 0.00 with two places (default: a random one for each)
   */
  amount?: string;
  /**
   * seed of random amounts and combinations (default 1)
   */
  seed?: number;
  /**
   * a duration such as 15m or PT15M: real time for trying combinations of situations (default: a minute)
   */
  budget?: string;
}

/**
 * The verdict on one invariant in one situation on one channel.
 */
export interface ExaminationVerdict {
  id: string;
  invariant: string;
  /**
   * id of the situation; ids of a combination are joined by +
   */
  situation: string;
  /**
   * the situation in words
   */
  title: string;
  channel: string;
  verdict: 'handled' | 'handled-after-reconcile' | 'violated' | 'not-exercised' | 'inconclusive' | 'not-applicable';
  /**
   * reason for the verdict, if it is not obvious
   */
  note: string | null;
  /**
   * what happened, if the invariant was violated or the result was not the same each time
   */
  history: {
    /**
     * time by the clock of the session; empty if the step has no time
     */
    at: string;
    /**
     * the side that did it: shop or provider
     */
    side: string;
    text: string;
  }[];
  /**
   * bundle of the session, for merchant-sandbox open
   */
  bundle: string | null;
}

/**
 * Whether this sandbox can examine a shop, and what it has found. Not a certification by any provider.
 */
export interface ExaminationView {
  /**
   * no-shop: the sandbox was started without a shop to examine; ready: nothing was examined yet
   */
  state: 'no-shop' | 'ready' | 'running' | 'done' | 'stopped' | 'failed';
  /**
   * the shop to examine, or null
   */
  shop: {
    adapter: string;
    /**
     * command that starts the shop; null if it is already running
     */
    command: string | null;
    /**
     * base URL for a shop that is already running; null if a command starts the shop
     */
    address: string | null;
  } | null;
  /**
   * session of this sandbox in which orders are being placed, or null
   */
  session: string | null;
  /**
   * progress; null if no examination is running
   */
  progress: {
    /**
     * what is being tried, in words
     */
    now: string;
    done: number;
    /**
     * number of single situations on all channels; 0 before and after them
     */
    total: number;
  } | null;
  /**
   * why it failed: the shop or its adapter cannot be used
   */
  problem: string | null;
  /**
   * number of orders that were placed; null until the examination is done
   */
  orders: number | null;
  /**
   * seed of the last examination
   */
  seed: number | null;
  /**
   * duration in real time; null until the examination is done
   */
  milliseconds: number | null;
  /**
   * number of each verdict
   */
  counts: {
    verdict: 'handled' | 'handled-after-reconcile' | 'violated' | 'not-exercised' | 'inconclusive' | 'not-applicable';
    words: string;
    count: number;
  }[];
  /**
   * violations that do not change the exit code of examine, and how to make them count; omitted without any
   */
  uncounted?: string;
  /**
   * verdicts of the last examination so far
   */
  verdicts: ExaminationVerdict[];
  /**
   * invariants, with why each matters and how to fix a violation
   */
  invariants: {
    id: string;
    sentence: string;
    why: string;
    mend: string;
  }[];
}

/**
 * Whether the sandbox is ready and can store changes.
 */
export interface Health {
  /**
   * degraded, with HTTP status 503, while changes cannot be stored, or it is not ready for calls; data that was confirmed before is safe and can be read
   */
  status: 'ok' | 'degraded';
  version: string;
  /**
   * why it is degraded, or not ready
   */
  reason?: string;
}

/**
 * Which steps of a history to return.
 */
export interface HistoryQuery {
  /**
   * only the steps after this one, named as for a fork: request-17, event-40; default: all
   */
  after?: string;
}

/**
 * A step of a session's history that is visible from outside: a call, its answer, or a notification.
 */
export interface HistoryStep {
  /**
   * the id of the call, or the job's kind and record
   */
  of: string;
  /**
   * the same, with the number of the message that a job sent
   */
  name: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  /**
   * the step in words
   */
  line: string;
  /**
   * the parts by which two sessions are compared: values that always differ are masked, secrets are replaced
   */
  parts: StepPart[];
}

export interface StepPart {
  name: string;
  text: string;
}

/**
 * A session's requests, answers and notifications, in order.
 */
export interface HistoryView {
  session: string;
  /**
   * the session and the step that it was forked from; null if it is not a fork
   */
  forkedFrom: ForkedFrom | null;
  /**
   * why it begins later than the session; null if it does not
   */
  cutBecause: string | null;
  steps: HistoryStep[];
}

/**
 * the session that it was forked from, and the last step that both share; omitted if it is not a fork
 */
export interface ForkedFrom {
  session: string;
  at: string;
}

/**
 * Calls and notifications as an HTTP Archive (HAR 1.2), for other tools. Secrets are masked.
 */
export interface HttpArchive {
  log: {
    version: '1.2';
    creator: {
      name: string;
      version: string;
    };
    entries: {
      /**
       * by the session's clock
       */
      startedDateTime: string;
      time: number;
      request: {
        method: string;
        url: string;
        httpVersion: string;
        /**
         * @maxItems 0
         */
        cookies: string[];
        headers: Pair[];
        queryString: Pair[];
        postData?: {
          mimeType: string;
          text?: string;
          /**
           * the parts of a form, in place of its text
           */
          params?: {
            name: string;
            value?: string;
            fileName?: string;
            contentType?: string;
          }[];
        };
        /**
         * -1: not known
         */
        headersSize: number;
        /**
         * -1: not known
         */
        bodySize: number;
      };
      response: {
        /**
         * 0: no answer
         */
        status: number;
        statusText: string;
        httpVersion: string;
        /**
         * @maxItems 0
         */
        cookies: string[];
        headers: Pair[];
        content: {
          size: number;
          mimeType: string;
          text: string;
        };
        redirectURL: string;
        /**
         * -1: not known
         */
        headersSize: number;
        /**
         * -1: not known
         */
        bodySize: number;
      };
      /**
       * empty
       */
      cache: {
        [k: string]: unknown;
      };
      timings: {
        send: number;
        wait: number;
        receive: number;
      };
      /**
       * which call or delivery it is, and what acted
       */
      comment: string;
    }[];
  };
}

export interface Pair {
  name: string;
  value: string;
}

/**
 * A finding about the code under test, with the calls and records that show it.
 */
export interface IntegrationFinding {
  /**
   * never changes; `explain` describes it
   */
  id: string;
  name: string;
  meaning: string;
  advice: string;
  /**
   * how often it occurred
   */
  count: number;
  /**
   * the expected value, the first time
   */
  expected: string;
  /**
   * the value received
   */
  received: string;
  /**
   * calls that show it, the first twenty
   */
  calls: string[];
  /**
   * payments or deliveries that show it, the newest twenty
   */
  records: string[];
}

/**
 * Whose invoice, and in which form.
 */
export interface InvoiceQuery {
  merchantId: string;
  environment: 'production' | 'sandbox';
  currency: string;
  /**
   * default: json
   */
  format?: 'json' | 'csv';
}

/**
 * A month's invoice for fees: money in minor units.
 */
export interface Invoice {
  /**
   * null while it is preliminary
   */
  number: string | null;
  /**
   * preliminary until the month has ended and all its settlements are closed
   */
  status: 'final' | 'preliminary';
  /**
   * the month of its business dates
   */
  month: string;
  /**
   * the date on which it was complete, by the session's clock; null while it is preliminary
   */
  issueDate: string | null;
  seller: string;
  merchantId: string;
  merchantName: string;
  environment: 'production' | 'sandbox';
  currency: string;
  /**
   * settlements of the month that are still open, and not in these figures
   */
  openSettlements: string[];
  /**
   * fees of all lines of the month's settlements, by kind as in their files
   */
  fees: {
    kind: 'feeMarkUp' | 'feeServiceProvider' | 'feeGateway' | 'feePayout' | 'feeChargeback';
    /**
     * lines that have such a fee
     */
    count: number;
    /**
     * minor units, above 0 if the merchant is charged
     */
    amount: number;
  }[];
  /**
   * the sum of all fees, in minor units
   */
  net: number;
  /**
   * the rate of value added tax, by the fixture
   */
  vatPercent: string;
  /**
   * value added tax on net, rounded half up once
   */
  vat: number;
  /**
   * net + vat
   */
  total: number;
  /**
   * fees that settlements have already deducted, in minor units: net
   */
  deducted: number;
  /**
   * balances below 0 that settlements added to this invoice
   */
  negativeBalances: {
    settlementId: string;
    /**
     * the day that its cut-off ends
     */
    businessDate: string;
    /**
     * minor units, above 0
     */
    amount: number;
  }[];
  /**
   * amount left to pay: total - deducted + negative balances
   */
  amountDue: number;
}

/**
 * A job that is due for a record, or running.
 */
export interface JobView {
  id: string;
  kind: string;
  collection: string;
  recordId: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  dueAt: string;
  state: 'queued' | 'running';
  /**
   * the event that a running job waits for
   */
  waitsFor: string | null;
  /**
   * its result: the state that its record will have, such as Paid or Expired; what happens to a paid payment, such as chargeback; attempt 2 of a notification; charge 3 of a recurring payment
   */
  what: string | null;
}

/**
 * Which jobs.
 */
export interface JobsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  kind?: string;
  collection?: string;
  recordId?: string;
  state?: 'queued' | 'running';
}

/**
 * An account of the books, with all its postings.
 */
export interface LedgerAccountView {
  /**
   * payers:<channel>, merchant:<id>, fees:<kind>, in-transit, bank:<bic>:<account> or suspense
   */
  account: string;
  environment: 'production' | 'sandbox';
  currency: string;
  /**
   * a decimal with two places
   */
  debits: string;
  /**
   * a decimal with two places
   */
  credits: string;
  /**
   * credits less debits: above 0, the provider owes or has earned it; below 0, the provider is owed it
   */
  balance: string;
}

/**
 * Which accounts.
 */
export interface LedgerAccountsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  account?: string;
  environment?: 'production' | 'sandbox';
  currency?: string;
  /**
   * only the account of this merchant
   */
  merchantId?: string;
}

/**
 * Whether the books balance, and agree with the records.
 */
export interface LedgerCheck {
  /**
   * false, with HTTP status 500, if anything differs
   */
  balanced: boolean;
  /**
   * number of checked records
   */
  records: number;
  entries: number;
  postings: number;
  /**
   * the last move of money: each has an entry
   */
  moves: number;
  accounts: number;
  /**
   * the differences, at most a hundred
   */
  differences: {
    /**
     * a record, entry, account or move
     */
    subject: string;
    expected: string;
    found: string;
  }[];
  /**
   * number of further differences
   */
  more?: number;
}

/**
 * Which entries.
 */
export interface LedgerEntriesQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order, by their moves (default: oldest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * only entries with a posting to this account
   */
  account?: string;
  /**
   * only entries with a posting to the account of this merchant
   */
  merchantId?: string;
  environment?: 'production' | 'sandbox';
  currency?: string;
  /**
   * only entries of this payment, payout or settlement
   */
  recordId?: string;
  event?: string;
}

/**
 * The ledger entry of a step of a record that moved money. Its debits and credits have the same sum.
 */
export interface LedgerEntryView {
  id: string;
  move: Move;
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  /**
   * what happened, such as payment.paid
   */
  event: string;
  recordId: string;
  /**
   * path of the step in its record, such as history[1]
   */
  step: string;
  environment: 'production' | 'sandbox';
  currency: string;
  postings: {
    account: string;
    side: 'debit' | 'credit';
    /**
     * a decimal with two places
     */
    amount: string;
  }[];
}

/**
 * A payment link as the control API shows it.
 */
export interface LinkView {
  /**
   * the wire's numeric id, as text
   */
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  updatedAt: string;
  environment: 'production' | 'sandbox';
  merchantId: string;
  name: string;
  description: string;
  reference: string;
  /**
   * a decimal with two places
   */
  amount: string;
  type: 'ONCE_OFF_FIXED' | 'OPEN_FIXED_AMOUNT' | 'OPEN_DYNAMIC_AMOUNT';
  profileId: string;
  /**
   * yyyy-MM-dd, first day it can be paid
   */
  startDate: string;
  /**
   * yyyy-MM-dd, last day
   */
  endDate: string;
  currency: string;
  currencyId: string;
  otherCurrencies: boolean;
  successUrl: string;
  failureUrl: string;
  email: string;
  payer: Payer;
  /**
   * ends in -<id>
   */
  token: string;
  imageId: string | null;
  /**
   * whether a ONCE_OFF_FIXED link is paid; false again once its only payment has failed late
   */
  paid: boolean;
  /**
   * the page that the payer opens
   */
  url: string;
  imageUrl: string | null;
}

export interface Payer {
  fullNames: string;
  emailAddress: string;
  address: string;
  mobile: string;
}

/**
 * Which payment links.
 */
export interface LinksQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  merchantId?: string;
  reference?: string;
  type?: 'ONCE_OFF_FIXED' | 'OPEN_FIXED_AMOUNT' | 'OPEN_DYNAMIC_AMOUNT';
  environment?: 'production' | 'sandbox';
}

/**
 * The credentials of a merchant; the same in production and sandbox.
 */
export interface MerchantCredentials {
  merchantId: string;
  merchantApiKey: string;
  merchantKey: string;
}

/**
 * A merchant as the control API shows it, without its keys.
 */
export interface MerchantView {
  /**
   * the wire's merchantId
   */
  id: string;
  name: string;
  /**
   * whether it may receive shares of bulk payments
   */
  approved: boolean;
  /**
   * whether it may take payments; otherwise they are refused with 403
   */
  activated: boolean;
  user: User;
  accountId: number;
  profiles: Profiles;
  /**
   * whether profile ids that are not listed are accepted, as normal ones
   */
  anyProfile: boolean;
}

/**
 * The data of a server-sent event of streamNotices, by the event's name: ready, event, call, delivery, clock, session, changed, over; an empty object for cleared and missed.
 */
export type Notice =
  | ReadyNotice
  | EventView
  | CallNotice
  | DeliveryNotice
  | ClockView
  | SessionView
  | ChangeNotice
  | OverNotice
  | {
      [k: string]: unknown;
    };

/**
 * The state of a session when a stream begins.
 */
export interface ReadyNotice {
  /**
   * changes when a sandbox that stores nothing was restarted: everything reported before is obsolete
   */
  run: string;
  /**
   * increases with each reset or restored state
   */
  generation: number;
  /**
   * the number of the last event
   */
  lastEvent: number;
  session: SessionView;
  clock: ClockView;
}

/**
 * The current state of a session.
 */
export interface SessionView {
  name: string;
  /**
   * its base address
   */
  url: string;
  seed: string;
  scenario: string;
  behaviour: string;
  clock: 'real' | 'frozen';
  /**
   * an ISO 8601 timestamp in UTC
   */
  now: string;
  forkedFrom?: ForkedFrom;
}

/**
 * Everything reported before is obsolete: the session was reset, restored or deleted.
 */
export interface OverNotice {
  reason: 'reset' | 'restored' | 'deleted';
  /**
   * the new generation; for a deleted session, its last one
   */
  generation: number;
}

/**
 * An OpenAPI document.
 */
export interface OpenapiDocument {
  openapi: string;
  info: {
    [k: string]: unknown;
  };
  paths: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}

/**
 * The outcome of a payment.
 */
export interface OutcomeChoice {
  outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
  code?: string;
  description?: string;
}

/**
 * An overview of a session, in numbers.
 */
export interface OverviewView {
  payments: {
    count: number;
    states: Counts;
    channels: Counts;
  };
  payouts: {
    count: number;
    states: Counts;
  };
  /**
   * the number of payments over time, from the first to the last, in at most 48 intervals of the same length
   */
  volume: {
    /**
     * length of an interval
     */
    seconds: number;
    /**
     * those with payments, in order
     */
    intervals: {
      /**
       * when it begins, by the session's clock
       */
      at: string;
      channels: Counts;
    }[];
  };
  /**
   * logged calls of the merchant API
   */
  calls: {
    count: number;
    /**
     * answered with 400 or more, or not at all, except by a fault of the scenario
     */
    refused: number;
    /**
     * the newest of these, at most five, newest first
     */
    lastRefused: CallNotice[];
  };
  deliveries: {
    count: number;
    states: Counts;
    /**
     * where notifications go
     */
    endpoints: number;
    /**
     * delivery attempts of the newest 500 notifications, except those to sandbox:catch
     */
    attempts: {
      count: number;
      succeeded: number;
      /**
       * milliseconds that half of the answers took at most; null if there was no answer
       */
      median: number | null;
      /**
       * milliseconds that 95 of 100 answers took at most
       */
      slow: number | null;
    };
  };
}

/**
 * the number of them, by state or channel
 */
export interface Counts {
  [k: string]: number;
}

/**
 * Which part of a list.
 */
export interface PageQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
}

/**
 * A payment token as the control API shows it.
 */
export interface PaymentTokenView {
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  environment: 'production' | 'sandbox';
  merchantId: string;
  token: string;
  reference: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  expiresAt: string;
  /**
   * channel of the payment with which it was generated; null if there was none
   */
  channel: string | null;
  walletName: string | null;
}

/**
 * Which payment tokens.
 */
export interface PaymentTokensQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  merchantId?: string;
  reference?: string;
}

export type History = {
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  from: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired' | 'Refunded' | 'Reversed' | 'ChargedBack' | null;
  to: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired' | 'Refunded' | 'Reversed' | 'ChargedBack';
  cause: 'merchant' | 'payer' | 'scenario' | 'fixtures' | 'control' | 'clock';
  code: string | null;
  description: string | null;
  move?: Move;
  decidedBy?: DecidedBy;
}[];

/**
 * a scenario's changes of the answer given at initiation, which is derived from the rest of the record; null if no merchant's call initiated it
 */
export type Respond = {
  template?: string;
  unused?: 'empty' | 'absent';
  members?: {
    [k: string]: string | null | number | boolean;
  };
} | null;

/**
 * A payment as the control API shows it: times as ISO 8601 in UTC, money as decimal text.
 */
export interface PaymentView {
  /**
   * the sandbox's own id, payment-1, payment-2, …
   */
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  environment: 'production' | 'sandbox';
  merchantId: string;
  /**
   * what created it
   */
  origin: 'merchant' | 'link' | 'recurring' | 'token' | 'shop-code';
  /**
   * id of the link, recurring payment, payment token or shop code that created it
   */
  originId: string | null;
  /**
   * the channel's id in fixtures/channels.json
   */
  channel: string;
  /**
   * as the merchant spelled it
   */
  walletName: string;
  /**
   * a decimal with two places
   */
  amount: string;
  /**
   * a decimal with two places
   */
  charges: string;
  fees: Fees;
  /**
   * whether it is on a profile in test mode, so that no money moves; absent on other payments
   */
  testMode?: true;
  /**
   * who bears the fees, if not the merchant; absent on other payments
   */
  feesBorneBy?: 'payer';
  /**
   * who bears the fees of a split payment, if not each receiver by its share; absent on other payments
   */
  splitFees?: 'initiator';
  currency: string;
  description: string;
  payerName: string;
  payerReference: string;
  payerAccountId: number | null;
  profileId: number | null;
  payerMobile: string | null;
  /**
   * a decimal with two places
   */
  payerBalance?: string;
  /**
   * the id of the test card that it was paid or declined with, absent on other payments
   */
  testCard?: string;
  payerContact?: PayerContact;
  shares: {
    merchantId: string;
    percentage: number;
    /**
     * a decimal with two places
     */
    amount: string;
  }[];
  /**
   * the wire's paymentId
   */
  paymentId: string | null;
  paymentCode: string | null;
  paymentToken: string | null;
  /**
   * Refunded, Reversed or ChargedBack once no paid amount remains
   */
  state: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired' | 'Refunded' | 'Reversed' | 'ChargedBack';
  /**
   * the status in notifications and status queries, by the words of payment-states.json; for example PartlyRefunded while the state is still Paid
   */
  status: string;
  expiresAt: string | null;
  /**
   * how often the payer entered a wrong PIN
   */
  failedTries: number;
  /**
   * its planned outcome, with the time
   */
  plannedOutcome: null | {
    outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
    /**
     * an ISO 8601 timestamp in UTC
     */
    at: string;
    code: string | null;
    description: string | null;
    decidedBy?: DecidedBy;
  };
  lateOutcome?: LateOutcome;
  /**
   * adjustments that the scenario plans after the payment is paid, the next first; absent if none are planned
   */
  plannedAdjustments?: PlannedAdjustment[];
  /**
   * the behaviour of the scenario that applied; default: the session's
   */
  behaviour?: string;
  webhookBehaviour: WebhookBehaviour;
  history: History;
  /**
   * a decimal with two places
   */
  left?: string;
  /**
   * adjustments after it was paid, each with a step in its history; absent without any
   */
  adjustments?: Adjustment[];
  respond: Respond;
  failure?: Failure;
}

/**
 * the charges by kind
 */
export interface Fees {
  /**
   * a decimal with two places
   */
  markUp: string;
  /**
   * a decimal with two places
   */
  serviceProvider: string;
  /**
   * a decimal with two places
   */
  gateway: string;
}

/**
 * the payer's input on a payment link's page; absent on other payments
 */
export interface PayerContact {
  emailAddress: string;
  address: string;
}

/**
 * the later change of the outcome that the scenario plans; absent without one, and once its time is planned
 */
export interface LateOutcome {
  outcome: 'Paid' | 'Failed';
  /**
   * how long after it was settled, a duration such as 15m or PT15M
   */
  after: string;
  code: string | null;
  description: string | null;
  decidedBy?: DecidedBy;
}

export interface PlannedAdjustment {
  /**
   * a refund is made by the merchant, a reversal by the provider, a chargeback by the payer's bank; a late failure means that it was never paid
   */
  kind: 'refund' | 'reversal' | 'chargeback' | 'chargeback-reversed' | 'late-failure';
  /**
   * a decimal with two places; null for the remaining amount
   */
  amount: string | null;
  /**
   * how long after it was paid
   */
  after: string;
  /**
   * null until it is paid
   */
  at: string | null;
  code: string | null;
  description: string | null;
}

export interface Adjustment {
  /**
   * made of its payment, kind and number, such as payment-1-refund-1; also used in settlement files
   */
  id: string;
  /**
   * a refund is made by the merchant, a reversal by the provider, a chargeback by the payer's bank; a late failure means that it was never paid
   */
  kind: 'refund' | 'reversal' | 'chargeback' | 'chargeback-reversed' | 'late-failure';
  /**
   * a decimal with two places
   */
  amount: string;
  /**
   * a decimal with two places
   */
  fee: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  move?: Move;
  cause: 'scenario' | 'control';
  code: string | null;
  description: string | null;
}

/**
 * Which payments.
 */
export interface PaymentsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  /**
   * Refunded, Reversed or ChargedBack once no paid amount remains
   */
  state?: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired' | 'Refunded' | 'Reversed' | 'ChargedBack';
  /**
   * the channel's id in fixtures/channels.json
   */
  channel?: string;
  merchantId?: string;
  payerReference?: string;
  environment?: 'production' | 'sandbox';
  /**
   * what created it
   */
  origin?: 'merchant' | 'link' | 'recurring' | 'token' | 'shop-code';
  paymentId?: string;
  paymentCode?: string;
  originId?: string;
  payerMobile?: string;
}

/**
 * The outcome of a payout's credits that are still Processing.
 */
export interface PayoutOutcomeChoice {
  outcome: 'Paid' | 'Failed';
  /**
   * any code; for a code in payouts.json, the default description is its reason
   */
  code?: string;
  description?: string;
}

/**
 * A payout as the control API shows it.
 */
export interface PayoutView {
  /**
   * payout-1, payout-2, …
   */
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  environment: 'production' | 'sandbox';
  merchantId: string;
  /**
   * a decimal with two places
   */
  total: string;
  currency: string;
  description: string;
  debit: Debit;
  payerName: string;
  payerReference: string;
  payerBankReference: string;
  credits: {
    /**
     * made of its payout and number, such as payout-1-credit-3; also used in settlement files
     */
    id: string;
    merchantId: string | null;
    bankName: string;
    bankBICCode: string;
    accountNumber: string;
    accountName: string;
    /**
     * a decimal with two places
     */
    amount: string;
    state: 'Processing' | 'Paid' | 'Failed' | 'Returned';
    /**
     * planned outcomes, the next first
     */
    plannedOutcomes: {
      outcome: 'Paid' | 'Failed' | 'Returned';
      /**
       * an ISO 8601 timestamp in UTC
       */
      at: string;
      code: string | null;
      description: string | null;
      decidedBy?: DecidedBy;
    }[];
    history: {
      /**
       * an ISO 8601 timestamp in UTC
       */
      at: string;
      from: 'Processing' | 'Paid' | 'Failed' | 'Returned' | null;
      to: 'Processing' | 'Paid' | 'Failed' | 'Returned';
      cause: 'merchant' | 'payer' | 'scenario' | 'fixtures' | 'control' | 'clock';
      code: string | null;
      description: string | null;
      move?: Move;
      decidedBy?: DecidedBy;
    }[];
  }[];
  /**
   * number and total of the credits in each state
   */
  totals: {
    Processing: CreditTotal;
    Paid: CreditTotal;
    Failed: CreditTotal;
    Returned: CreditTotal;
  };
  /**
   * a decimal with two places
   */
  charges: string;
  fees: Fees;
  /**
   * `bank`: the bank account that it names; absent on payouts from the merchant's balance
   */
  debitedFrom?: 'bank';
  /**
   * whether the merchant's balance is too low: then nothing is debited, and every credit fails; absent on other payouts
   */
  unfunded?: true;
  /**
   * derived from the states of its credits
   */
  state: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid';
  /**
   * the behaviour of the scenario that applied; default: the session's
   */
  behaviour?: string;
  webhookBehaviour: WebhookBehaviour;
  history: {
    /**
     * an ISO 8601 timestamp in UTC
     */
    at: string;
    from: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid' | null;
    to: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid';
    cause: 'merchant' | 'payer' | 'scenario' | 'fixtures' | 'control' | 'clock';
    code: string | null;
    description: string | null;
    move?: Move;
    decidedBy?: DecidedBy;
  }[];
  failure?: Failure;
}

export interface Debit {
  bankName: string;
  bankBICCode: string;
  accountNumber: string;
  accountName: string;
}

export interface CreditTotal {
  credits: number;
  /**
   * a decimal with two places
   */
  amount: string;
}

/**
 * Which payouts.
 */
export interface PayoutsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  /**
   * derived from the states of its credits
   */
  state?: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid';
  merchantId?: string;
  payerReference?: string;
  environment?: 'production' | 'sandbox';
}

/**
 * Why a call was refused, as problem details (RFC 9457).
 */
export interface Problem {
  type: string;
  title: string;
  /**
   * id of the kind of refusal, for `merchant-sandbox explain`
   */
  id: string;
  status: number;
  /**
   * what was attempted, what was received, and what to send instead
   */
  detail: string;
  findings: Finding[];
  [k: string]: unknown;
}

export interface Finding {
  path: string;
  expected: string;
  received: string;
  severity: 'error' | 'warning';
  /**
   * The kind of warning; `explain` describes it. A finding that refuses the call has the id of its refusal.
   */
  id?: string;
}

/**
 * A recurring payment as the control API shows it.
 */
export interface RecurringPaymentView {
  /**
   * 1, 2, 3 … as text
   */
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  environment: 'production' | 'sandbox';
  merchantId: string;
  intervalId: number;
  intervalName: string;
  /**
   * interval from the fixture at the time when it was added
   */
  intervalDays: number;
  paymentToken: string;
  reference: string;
  description: string;
  startDate: string;
  expiryDate: string;
  currency: string;
  /**
   * a decimal with two places
   */
  amount: string;
  profileId: number;
  accountId: number;
  state: 'Active' | 'Cancelled' | 'Completed' | 'Failed';
  cancelledAt: string | null;
  /**
   * number of charges
   */
  charges: number;
  failure: null | Failure;
  nextChargeAt: string | null;
}

/**
 * Which recurring payments.
 */
export interface RecurringPaymentsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  merchantId?: string;
  state?: 'Active' | 'Cancelled' | 'Completed' | 'Failed';
  reference?: string;
  environment?: 'production' | 'sandbox';
}

/**
 * A report as JSON, by its type.
 */
export type ReportContent = SettlementFile | BankStatement | Invoice;

/**
 * A settlement file: money in minor units.
 */
export interface SettlementFile {
  header: {
    settlementId: string;
    merchantId: string;
    environment: 'production' | 'sandbox';
    currency: string;
    businessDate: string;
    sequence: number;
    /**
     * 1; 2 if the file was corrected
     */
    version: number;
    /**
     * 1, or 2 for the columns of nextLayout in settlement.json
     */
    layout: number;
    /**
     * when the first move opened the settlement
     */
    periodStart: string;
    /**
     * when the settlement was closed: at its cut-off, or earlier
     */
    periodEnd: string;
    cutOff: string;
    /**
     * the day on which the transfer arrives; null if nothing is transferred
     */
    valueDate: string | null;
    bank: Bank;
  };
  lines: {
    /**
     * 1, 2, 3, …
     */
    line: number;
    /**
     * payment, share, fee, settlement-returned and so on
     */
    lineType: string;
    occurredAt: string;
    businessDate: string;
    /**
     * the payment, payout or settlement that it results from, such as payment-1
     */
    recordId: string;
    /**
     * the part of that record: an adjustment or a payout's credit, such as payment-1-refund-1 or payout-1-credit-3; otherwise the same as recordId
     */
    sourceId: string;
    /**
     * the ledger entry, such as entry-7
     */
    entryId: string;
    /**
     * the merchant's payerReference
     */
    paymentReference: string;
    /**
     * the wire's paymentId or paymentCode
     */
    paymentId: string;
    /**
     * the reference of the line that this one reverses
     */
    originalReference: string;
    channel: string;
    currency: string;
    /**
     * minor units, below 0 if the merchant bears it
     */
    gross: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    fee: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    net: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeMarkUp: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeServiceProvider: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeGateway: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feePayout: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeChargeback: number;
    code: string;
    description: string;
  }[];
  totals: {
    count: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    gross: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    fee: number;
    /**
     * gross + fee of all lines, without amounts that are carried in and out
     */
    net: number;
    /**
     * minor units that the previous settlement carried over, below 0 if the merchant owed them
     */
    carriedIn: number;
    /**
     * minor units that are transferred to the bank, below 0 if they are collected: carriedIn + net = transferred + carriedOut + invoiced
     */
    transferred: number;
    /**
     * minor units that are carried over to the next settlement, below 0 if the merchant owes them
     */
    carriedOut: number;
    /**
     * minor units that are added to the month's invoice, below 0 because the merchant owes them; 0 without any
     */
    invoiced: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeMarkUp: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeServiceProvider: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeGateway: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feePayout: number;
    /**
     * minor units, below 0 if the merchant bears it
     */
    feeChargeback: number;
  };
}

/**
 * The format of a report.
 */
export interface ReportQuery {
  /**
   * default: the first of its `formats`
   */
  format?: 'json' | 'csv' | 'camt.053' | 'mt940';
  /**
   * default: the latest issued version
   */
  version?: number;
}

/**
 * One issue of a report to its merchant.
 */
export interface ReportView {
  /**
   * settlement-file, bank-statement or fee-invoice
   */
  type: string;
  /**
   * id of its settlement; for a bank statement its id, for an invoice its number
   */
  id: string;
  /**
   * 1; 2 if it was corrected; the same version occurs twice if it was issued twice
   */
  version: number;
  environment: 'production' | 'sandbox';
  currency: string;
  /**
   * its day; for a month, its last day
   */
  businessDate: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  issuedAt: string;
  /**
   * the possible values of `format`; the first is the default
   */
  formats: string[];
  /**
   * its URL, which needs the merchant's access token
   */
  address: string;
}

/**
 * Which reports.
 */
export interface ReportsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  type?: 'settlement-file' | 'bank-statement' | 'fee-invoice';
  /**
   * their day; for a month, its last day
   */
  businessDate?: string;
  environment?: 'production' | 'sandbox';
  currency?: string;
}

/**
 * The calls that the request log must contain.
 */
export interface RequestExpectation {
  match: {
    method?: string;
    path?: string;
    operation?: OperationName;
    merchantId?: string;
    environment?: 'production' | 'sandbox';
    scenario?: string;
    status?: number;
    /**
     * partial body, whose fields must be there with these values; of at most 1,048,576 characters and 20,000 values
     */
    body?: {
      [k: string]: unknown;
    };
  };
  /**
   * exact number of matching requests (default: at least one)
   */
  count?: number;
}

/**
 * A call of the merchant API in the request log, with secrets masked.
 */
export interface RequestView {
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  milliseconds: number;
  session: string;
  method: string;
  path: string;
  query: {
    [k: string]: unknown;
  };
  operation: string | null;
  environment: 'production' | 'sandbox' | null;
  /**
   * the channel's id; null for a call without a channel, and for one that was refused before it was known
   */
  channel: string | null;
  merchantId: string | null;
  /**
   * the merchant's reference of the record that the call is about, such as its payerReference
   */
  reference: string | null;
  headers: {
    [k: string]: unknown;
  };
  /**
   * the received value; a text if it could not be parsed
   */
  body?: {
    [k: string]: unknown;
  };
  findings: Finding[];
  scenario: string | null;
  outcome: string | null;
  /**
   * why it was refused; null if it was not
   */
  reason: string | null;
  fault: string | null;
  /**
   * for a call that matches no route: the nearest one
   */
  nearest: string | null;
  /**
   * the number of the session's last event before the call ended
   */
  lastEvent: number;
  /**
   * immediate effects of the call
   */
  events: EventView[];
  /**
   * records that the call created or changed, including notifications
   */
  records: {
    collection: string;
    id: string;
  }[];
  answer: null | {
    status: number;
    headers: {
      [k: string]: unknown;
    };
    body: string;
  };
}

/**
 * Which calls of the request log.
 */
export interface RequestsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  operation?: OperationName;
  method?: string;
  path?: string;
  environment?: 'production' | 'sandbox';
  status?: number;
  reference?: string;
  merchantId?: string;
  scenario?: string;
  nearest?: string;
  fault?: string;
  /**
   * true: only requests that were answered with 400 or above, or not at all; false: only the others
   */
  refused?: boolean;
}

/**
 * Which scenario a session follows.
 */
export interface ScenarioChoice {
  name: string;
}

/**
 * Which scenario is tried on which logged call: one by its name, or a definition that is not stored.
 */
export interface ScenarioTrial {
  /**
   * the name of one of the session's scenarios; default: the active one
   */
  scenario?: string;
  definition?: ScenarioFixture;
  /**
   * default: the last call
   */
  requestId?: string;
}

/**
 * Which scenarios.
 */
export interface ScenariosQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * scenarios defined in this session, or scenarios of the fixtures (default: both)
   */
  source?: 'session' | 'fixtures';
}

/**
 * The step at which a session is forked, and the name of the new one.
 */
export interface SessionFork {
  /**
   * last step that the new session shares: the id of a call (request-17, control-2, page-1) that was already answered, an event (event-40), a number of entries, or start (default: the last step)
   */
  at?: string;
  /**
   * letters, digits, dots, dashes, underscores
   */
  as: string;
}

/**
 * A session with its own settings.
 */
export interface SessionStart {
  /**
   * letters, digits, dots, dashes, underscores
   */
  name: string;
  seed?: string;
  /**
   * whether payment ids and random choices come only from the seed, and so repeat in each session and after each reset, or also from the session's name and the number of its resets; default: they repeat
   */
  ids?: 'repeat' | 'differ';
  scenario?: string;
  /**
   * how the provider behaves; default: the setting `--behaviour`
   */
  behaviour?: string;
  /**
   * freezes the clock there
   */
  now?: string;
}

/**
 * The bank statement and the version of the settlement file that an answer key is about.
 */
export interface SettlementAnswerKeyQuery {
  /**
   * day of the bank statement; default: the day on which the bank books the transfer
   */
  date?: string;
  /**
   * version of the file; default: the latest issued one
   */
  version?: number;
}

/**
 * What a reconciliation of the shown file should find: the differences from the books, and correct data that looks odd.
 */
export interface SettlementAnswerKey {
  settlementId: string;
  /**
   * version of the file: a corrected one does not have the mistakes that it corrects
   */
  version: number;
  /**
   * seed of the session: the same seed changes the same lines
   */
  seed: string;
  totals: 'stay' | 'follow';
  /**
   * their differences add up to the shown net of all lines less the booked
   */
  findings: {
    /**
     * late: missing from the previous file, and shown in this one
     */
    kind: SettlementMistake | 'late';
    /**
     * the paymentId of the booked line; for an unknown line, of the shown one; empty if the file as a whole is wrong
     */
    paymentId: string;
    /**
     * the merchant's payerReference; the settlement's id if the file as a whole is wrong
     */
    reference: string;
    /**
     * numbers of lines in the shown file; empty if it has none
     */
    shownLines: number[];
    /**
     * the member that differs; line for a whole line, file if the file is sent again, state for a line of a payment that was not paid
     */
    field: string;
    /**
     * for merged lines, the references of both
     */
    expected: string | number | null;
    shown: string | number | null;
    /**
     * shown net less booked net, in minor units
     */
    difference: number;
    verdict: 'investigate' | 'wait' | 'ignore';
    /**
     * the settlement whose file has it; null if none has it, or if that does not exist yet
     */
    resolvedIn: string | null;
  }[];
  /**
   * data that looks odd in the file but is correct: lines by their numbers; an amount that is carried over is in the totals, without line numbers
   */
  decoys: {
    kind: 'twins' | 'carried-over' | 'negative-net';
    shownLines: number[];
  }[];
  /**
   * kinds that do not fit any line, or this file
   */
  skipped: SettlementMistake[];
  booked: Totals;
  shown: Totals;
  /**
   * the key of the bank statement; null until the bank has booked a transfer of the settlement
   */
  statement: null | BankStatementKey;
}

export interface Totals {
  count: number;
  /**
   * minor units, below 0 if the merchant bears it
   */
  gross: number;
  /**
   * minor units, below 0 if the merchant bears it
   */
  fee: number;
  /**
   * gross + fee of all lines, without amounts that are carried in and out
   */
  net: number;
  /**
   * minor units that the previous settlement carried over, below 0 if the merchant owed them
   */
  carriedIn: number;
  /**
   * minor units that are transferred to the bank, below 0 if they are collected: carriedIn + net = transferred + carriedOut + invoiced
   */
  transferred: number;
  /**
   * minor units that are carried over to the next settlement, below 0 if the merchant owes them
   */
  carriedOut: number;
  /**
   * minor units that are added to the month's invoice, below 0 because the merchant owes them; 0 without any
   */
  invoiced: number;
  /**
   * minor units, below 0 if the merchant bears it
   */
  feeMarkUp: number;
  /**
   * minor units, below 0 if the merchant bears it
   */
  feeServiceProvider: number;
  /**
   * minor units, below 0 if the merchant bears it
   */
  feeGateway: number;
  /**
   * minor units, below 0 if the merchant bears it
   */
  feePayout: number;
  /**
   * minor units, below 0 if the merchant bears it
   */
  feeChargeback: number;
}

/**
 * Which form of a settlement file.
 */
export interface SettlementFileQuery {
  /**
   * default: json
   */
  format?: 'json' | 'csv';
  /**
   * shown: as merchants get it; booked: as in the books; default: shown
   */
  as?: 'shown' | 'booked';
  /**
   * default: the latest issued version
   */
  version?: number;
}

/**
 * Why a bank sends a transfer back.
 */
export interface SettlementReturn {
  code?: string;
  description?: string;
}

/**
 * A settlement as the control API shows it: times as ISO 8601 in UTC, money as decimal text.
 */
export interface SettlementView {
  /**
   * settlement-1, settlement-2, …
   */
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  merchantId: string;
  environment: 'production' | 'sandbox';
  currency: string;
  /**
   * the day that its cut-off ends
   */
  businessDate: string;
  /**
   * 1, 2, 3, … of the same merchant, environment and currency
   */
  sequence: number;
  /**
   * the first millisecond of the next business date
   */
  cutOff: string;
  bank: Bank;
  /**
   * id of the one before, of the same merchant, environment and currency
   */
  previous: string | null;
  firstMove: Move;
  /**
   * the last move that can be in it; null while later ones can
   */
  throughMove: number | null;
  /**
   * as they were at the close; null while it is open
   */
  totals: null | {
    count: number;
    /**
     * a decimal with two places, below 0 if the merchant bears it
     */
    gross: string;
    /**
     * a decimal with two places, below 0 if the merchant bears it
     */
    fee: string;
    /**
     * a decimal with two places, below 0 if the merchant bears it
     */
    net: string;
    /**
     * a decimal with two places, below 0 if the merchant bears it
     */
    carriedIn: string;
    /**
     * a decimal with two places, below 0 if the merchant bears it
     */
    transferred: string;
    /**
     * a decimal with two places, below 0 if the merchant bears it
     */
    carriedOut: string;
    /**
     * a decimal with two places, below 0 if the merchant bears it
     */
    invoiced: string;
    types: {
      [k: string]: {
        count: number;
        /**
         * a decimal with two places, below 0 if the merchant bears it
         */
        gross: string;
        /**
         * a decimal with two places, below 0 if the merchant bears it
         */
        fee: string;
        /**
         * a decimal with two places, below 0 if the merchant bears it
         */
        net: string;
      };
    };
  };
  /**
   * the day on which the transfer arrives; null if nothing is transferred
   */
  valueDate: string | null;
  /**
   * CarriedOver: nothing could be transferred; Invoiced: the amount that the merchant owed was added to the month's invoice
   */
  state: 'Open' | 'InTransit' | 'Paid' | 'Returned' | 'CarriedOver' | 'Invoiced';
  history: {
    /**
     * an ISO 8601 timestamp in UTC
     */
    at: string;
    from: 'Open' | 'InTransit' | 'Paid';
    to: 'InTransit' | 'Paid' | 'Returned' | 'CarriedOver' | 'Invoiced';
    cause: 'clock' | 'control';
    code: string | null;
    description: string | null;
    move?: Move;
  }[];
  failure?: Failure;
  mismatches?: Mismatches;
  /**
   * of its file by the calendar, as of the close; absent for 1
   */
  layout?: 1 | 2;
  reports?: Reports;
  /**
   * how often its report was issued; if absent, once, at the close
   */
  issued?: number;
}

/**
 * how the shown file differs from the books, by the scenario at the close; absent if it does not
 */
export interface Mismatches {
  /**
   * kinds of mistakes: each changes one suitable line, or the file as a whole
   */
  kinds: SettlementMistake[];
  /**
   * stay: the file's totals are as booked, so that they reveal the mistakes; follow: they are the sums of the shown lines
   */
  totals: 'stay' | 'follow';
  /**
   * mistakes in the bank's statement: late, short and twice affect the transfer, which gets one of them; unknown-credit is a separate entry
   */
  bank?: BankMistake[];
  /**
   * numbers of the last records at the close: a wrong reference in the file belongs to none of the records up to these
   */
  through?: {
    payments: number;
    payouts: number;
  };
  /**
   * id of the failed payment for which a status conflict has a line; absent if there was none at the close
   */
  failed?: string;
}

/**
 * how its report reaches the merchant, by the scenario at the close
 */
export interface Reports {
  /**
   * whether the merchant is notified when it is paid; default: as in settlement.json
   */
  announced?: boolean;
  /**
   * how long after it was paid its report can be fetched; if absent, from the close on
   */
  late?: string;
}

/**
 * Which open settlements to close (default: all).
 */
export interface SettlementsClose {
  merchantId?: string;
  environment?: 'production' | 'sandbox';
  currency?: string;
}

/**
 * Which settlements.
 */
export interface SettlementsQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  /**
   * CarriedOver: nothing could be transferred; Invoiced: the amount that the merchant owed was added to the month's invoice
   */
  state?: 'Open' | 'InTransit' | 'Paid' | 'Returned' | 'CarriedOver' | 'Invoiced';
  merchantId?: string;
  environment?: 'production' | 'sandbox';
  currency?: string;
  businessDate?: string;
}

/**
 * A QR code for a merchant to print.
 */
export interface ShopCodeOrder {
  merchantId: string;
  /**
   * prefix of the references of its payments
   */
  reference: string;
  /**
   * a decimal with two places; if null or omitted, the payer enters it
   */
  amount?: string | null;
  currency: string;
  description?: string;
  /**
   * default: sandbox
   */
  environment?: 'production' | 'sandbox';
  /**
   * content of the code: the address of the wallet's page, or a payload of EMVCo's merchant-presented mode; default: as in fixtures/shop-codes.json
   */
  content?: 'address' | 'emv';
}

/**
 * A merchant's printed QR code, with its addresses.
 */
export interface ShopCodeView {
  /**
   * the sandbox's own id, shop-code-1, shop-code-2, …
   */
  id: string;
  /**
   * an ISO 8601 timestamp in UTC
   */
  createdAt: string;
  environment: 'production' | 'sandbox';
  merchantId: string;
  reference: string;
  /**
   * a decimal with two places; null if the payer enters it
   */
  amount: string | null;
  currency: string;
  description: string;
  /**
   * content of the code: the address of the wallet's page, or a payload of EMVCo's merchant-presented mode
   */
  content: 'address' | 'emv';
  active: boolean;
  /**
   * number of payments that it has created
   */
  scans: number;
  /**
   * content of the code
   */
  text: string;
  /**
   * the page to print
   */
  url: string;
  /**
   * the wallet's page, which a scan opens
   */
  scanUrl: string;
  pngUrl: string;
  svgUrl: string;
}

/**
 * Which shop codes.
 */
export interface ShopCodesQuery {
  /**
   * maximum number of items (default 50)
   */
  limit?: number;
  /**
   * nextCursor of the previous page; works even if items were removed since
   */
  cursor?: string;
  /**
   * sort order (default: newest first)
   */
  order?: 'newest' | 'oldest';
  /**
   * words that must all occur, in upper or lower case, in ids, references, names, descriptions, amounts or mobile numbers; for requests also in the path and bodies, for notifications also in the URL and body
   */
  search?: string;
  merchantId?: string;
  reference?: string;
  environment?: 'production' | 'sandbox';
  active?: boolean;
}

/**
 * A state as getState returns it.
 */
export interface FetchedState {
  state: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}

/**
 * Where a stream begins.
 */
export interface StreamQuery {
  /**
   * the event after which the stream begins; default: only new events
   */
  since?: number;
}

/**
 * Past and planned steps of a payment, payout or settlement, with the record as of the same moment.
 */
export interface TimelineView {
  record: PaymentView | PayoutView | SettlementView;
  sentence: Sentence;
  /**
   * past steps in order, then planned ones
   */
  entries: TimelineEntry[];
  /**
   * number of calls and notifications that are not listed: only the newest fifty of each are, and the first call
   */
  omitted: number;
}

export interface TimelineEntry {
  /**
   * an ISO 8601 timestamp in UTC
   */
  at: string;
  /**
   * the type of its event, such as payment.paid; request.answered for a call, and delivery.dropped, .held or .pending for a notification that was not sent
   */
  kind: string;
  title: string;
  /**
   * further facts; may be empty
   */
  words: string;
  cause?: TimelineCause;
  /**
   * the HTTP status of a call or a notification; null if there was no answer
   */
  status?: number | null;
  /**
   * duration of the delivery attempt
   */
  milliseconds?: number;
  /**
   * number of the attempt, if the notification needed several
   */
  attempt?: number;
  /**
   * the call, or the call that caused it, if known
   */
  requestId?: string;
  /**
   * the notification
   */
  deliveryId?: string;
  /**
   * its event, if known
   */
  eventId?: number;
  /**
   * whether it is planned
   */
  isAhead?: true;
}

/**
 * the cause; absent for calls and notifications
 */
export interface TimelineCause {
  kind: 'merchant' | 'payer' | 'scenario' | 'fixtures' | 'control' | 'clock';
  words: string;
  /**
   * the collection of the record that caused it
   */
  collection?: string;
  /**
   * the id of the record that caused it, such as a scenario
   */
  id?: string;
}

/**
 * What the rules of a scenario would have done with a call.
 */
export interface TriedScenario {
  scenario: string;
  requestId: string;
  operation: string;
  channel: string | null;
  environment: 'production' | 'sandbox';
  /**
   * the number of the rule that would have applied, from 1; null if none would have, so that the channel determines the outcome
   */
  rule: number | null;
  rules: {
    number: number;
    words: string;
    /**
     * after: an earlier one applies
     */
    state: 'acts' | 'unmet' | 'after';
    /**
     * conditions that the call does not meet, by their paths in the rule
     */
    unmet: {
      path: string;
      expected: string;
      received: string;
    }[];
  }[];
}

/**
 * The calls that were as expected.
 */
export interface Verification {
  matched: number;
  ids: string[];
}

/**
 * Where a session's notifications go.
 */
export interface WebhookEndpoints {
  /**
   * @maxItems 100
   */
  endpoints: {
    /**
     * an http or https address, or sandbox:catch, whose notifications the sandbox itself receives
     */
    url: string;
    /**
     * whsec_ and at least 24 bytes in base64; if omitted, a secret is generated
     */
    secret?: string;
    /**
     * only this merchant's notifications; default: every merchant's
     */
    merchantId?: string;
    /**
     * event types such as payment.paid; default: all
     */
    types?: string[];
  }[];
}
