// Generated from schemas/ by `npm run generate`. Do not edit.
import type {
  AmountRange,
  AmountRange1,
  AnswerMember,
  BankMistake,
  NotificationRules,
  ScenarioFixture,
  SettlementMistake,
  WebhookBehaviour,
} from './fixtures.ts';

export type {
  AmountRange,
  AmountRange1,
  AnswerMember,
  BankMistake,
  NotificationRules,
  ScenarioFixture,
  SettlementMistake,
  WebhookBehaviour,
};

/**
 * The number of a step that moved money, 1, 2, 3, … in its session: the order of the books, even if the clock was set back. Absent on steps that moved none.
 */
export type Move = number;

/**
 * A change of a payment after it was paid: a refund or reversal gives money back, a chargeback takes it back, and may be reversed.
 */
export interface Adjustment {
  /**
   * a refund is made by the merchant, a reversal by the provider, a chargeback by the payer's bank; a late failure means that it was never paid
   */
  kind: 'refund' | 'reversal' | 'chargeback' | 'chargeback-reversed' | 'late-failure';
  /**
   * minor units of the currency (cents)
   */
  amount: number;
  /**
   * minor units: for a reversal or late failure the returned charges, for a chargeback its additional fee, else 0
   */
  fee: number;
  /**
   * milliseconds since 1970, by the session's clock
   */
  at: number;
  move?: Move;
  cause: 'scenario' | 'control';
  code: string | null;
  description: string | null;
}

/**
 * The source of a planned outcome: a rule of a scenario by its number and name, or a member of a fixture. Absent if the outcome was not planned.
 */
export type DecidedBy = string;

/**
 * One notification on its way to one endpoint.
 */
export interface Delivery {
  /**
   * delivery-1, delivery-2, …
   */
  id: string;
  /**
   * webhook-id header, the same for retries and duplicates
   */
  webhookId: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  createdAt: number;
  endpointId: string | null;
  url: string;
  secret: string | null;
  /**
   * event type, e.g. payment.paid
   */
  type: string;
  /**
   * id of the payment or payout that it is about
   */
  subjectId: string;
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
     * when it was sent: milliseconds since 1970, by the session's clock
     */
    at: number;
    /**
     * the headers that were sent, by name
     */
    headers: {
      [k: string]: string;
    };
    status: number | null;
    ms: number;
    error: string | null;
    response: string | null;
  }[];
  /**
   * when it is tried next
   */
  dueAt: number | null;
  /**
   * when it would be tried next if its endpoint were not paused
   */
  pausedDueAt?: number;
  failure?: JobFailure;
}

/**
 * Why the sandbox could not carry out a record's due job; absent without a failure.
 */
export interface JobFailure {
  /**
   * milliseconds since 1970, by the session's clock
   */
  at: number;
  reason: string;
}

/**
 * Where notifications go.
 */
export interface Endpoint {
  id: string;
  url: string;
  /**
   * whsec_…, signs by Standard Webhooks
   */
  secret: string;
  /**
   * secrets that were replaced, newest first: they also sign for the time of secretOverlap in times.json
   *
   * @maxItems 100
   */
  previousSecrets?: {
    /**
     * whsec_…, signs by Standard Webhooks
     */
    secret: string;
    /**
     * milliseconds since 1970, by the session's clock: it signs before that
     */
    until: number;
  }[];
  /**
   * null for all merchants
   */
  merchantId: string | null;
  /**
   * event types; null: all
   */
  types: null | string[];
}

/**
 * How often the fault of a scenario's rule has occurred.
 */
export interface FaultCount {
  /**
   * scenario and number of the rule, e.g. "flaky 1"
   */
  id: string;
  scenario: string;
  strikes: number;
}

/**
 * What a payment or payout costs, by kind: the row of fixtures/fees.json that was in force, in minor units of the currency (cents).
 */
export interface Fees {
  markUp: number;
  serviceProvider: number;
  gateway: number;
}

/**
 * An image that a payment link shows.
 */
export interface Image {
  id: string;
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  base64: string;
}

/**
 * A merchant of a session: from the fixture, or registered by its first request.
 */
export interface Merchant {
  /**
   * the wire's merchantId
   */
  id: string;
  merchantApiKey: string;
  merchantKey: string;
  name: string;
  /**
   * whether it may receive shares of bulk payments
   */
  approved: boolean;
  /**
   * whether it may take payments; otherwise they are refused with 403
   */
  activated: boolean;
  user: {
    id: number;
    email: string;
    firstName: string;
    lastName: string;
    role: string;
  };
  accountId: number;
  profiles: {
    id: number;
    name: string;
    mode: 'normal' | 'test';
  }[];
  /**
   * whether profile ids that are not listed are accepted, as normal ones
   */
  anyProfile: boolean;
}

/**
 * A hosted payment link (fast checkout).
 */
export interface PaymentLink {
  /**
   * the wire's numeric id, as text
   */
  id: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  createdAt: number;
  /**
   * milliseconds since 1970, by the session's clock
   */
  updatedAt: number;
  environment: 'production' | 'sandbox';
  merchantId: string;
  name: string;
  description: string;
  reference: string;
  /**
   * minor units of the currency (cents)
   */
  amount: number;
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
  payer: {
    fullNames: string;
    emailAddress: string;
    address: string;
    mobile: string;
  };
  /**
   * ends in -<id>
   */
  token: string;
  imageId: string | null;
  /**
   * whether a ONCE_OFF_FIXED link is paid; false again once its only payment has failed late
   */
  paid: boolean;
}

/**
 * A stored means of payment that recurring payments charge.
 */
export interface PaymentToken {
  id: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  createdAt: number;
  environment: 'production' | 'sandbox';
  merchantId: string;
  token: string;
  reference: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  expiresAt: number;
  /**
   * channel of the payment with which it was generated; null if there was none
   */
  channel: string | null;
  walletName: string | null;
}

/**
 * One payment, of any channel.
 */
export interface Payment {
  /**
   * the sandbox's own id, payment-1, payment-2, …
   */
  id: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  createdAt: number;
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
   * minor units of the currency (cents)
   */
  amount: number;
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
   * the payer's balance in its scenario, in minor units; absent if the scenario has none
   */
  payerBalance?: number;
  /**
   * the payer for whose limits it counts, such as mobile:263770000001; absent until it is paid, and without limits
   */
  payerKey?: string;
  /**
   * the id of the test card that it was paid or declined with, absent on other payments
   */
  testCard?: string;
  /**
   * the payer's input on a payment link's page; absent on other payments
   */
  payerContact?: {
    emailAddress: string;
    address: string;
  };
  /**
   * the form of a payment link's or shop code's page that created it, so that the form creates no second one; absent on other payments
   */
  formId?: string;
  /**
   * empty for a single payment
   */
  shares: {
    merchantId: string;
    percentage: number;
    /**
     * minor units of the currency (cents)
     */
    amount: number;
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
   * when an undecided payment expires
   */
  expiresAt: number | null;
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
     * milliseconds since 1970, by the session's clock
     */
    at: number;
    code: string | null;
    description: string | null;
    decidedBy?: DecidedBy;
  };
  /**
   * the later change of the outcome that the scenario plans; absent without one, and once its time is planned
   */
  lateOutcome?: {
    outcome: 'Paid' | 'Failed';
    /**
     * how long after it was settled, a duration such as 15m or PT15M
     */
    after: string;
    code: string | null;
    description: string | null;
    decidedBy?: DecidedBy;
  };
  /**
   * adjustments that the scenario plans after the payment is paid, the next first; absent if none are planned
   */
  plannedAdjustments?: PlannedAdjustment[];
  /**
   * when its next job is due: the earlier of its expiry and its planned outcome, then its next planned adjustment; null if none is planned
   */
  dueAt: number | null;
  /**
   * the behaviour of the scenario that applied; default: the session's
   */
  behaviour?: string;
  webhookBehaviour: WebhookBehaviour;
  history: {
    /**
     * milliseconds since 1970, by the session's clock
     */
    at: number;
    from: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired' | 'Refunded' | 'Reversed' | 'ChargedBack' | null;
    to: 'Processing' | 'Paid' | 'Failed' | 'Cancelled' | 'Expired' | 'Refunded' | 'Reversed' | 'ChargedBack';
    cause: 'merchant' | 'payer' | 'scenario' | 'fixtures' | 'control' | 'clock';
    code: string | null;
    description: string | null;
    move?: Move;
    decidedBy?: DecidedBy;
  }[];
  /**
   * adjustments after it was paid, each with a step in its history; absent without any
   */
  adjustments?: Adjustment[];
  /**
   * a scenario's changes of the answer given at initiation, which is derived from the rest of the record; null if no merchant's call initiated it
   */
  respond: {
    template?: string;
    unused?: 'empty' | 'absent';
    members?: {
      [k: string]: string | null | number | boolean;
    };
  } | null;
  failure?: JobFailure;
}

/**
 * An adjustment of a payment that a scenario plans for after it is paid.
 */
export interface PlannedAdjustment {
  /**
   * a refund is made by the merchant, a reversal by the provider, a chargeback by the payer's bank; a late failure means that it was never paid
   */
  kind: 'refund' | 'reversal' | 'chargeback' | 'chargeback-reversed' | 'late-failure';
  /**
   * minor units of the currency (cents); null for the remaining amount
   */
  amount: number | null;
  /**
   * how long after it was paid, a duration such as 15m or PT15M
   */
  after: string;
  /**
   * milliseconds since 1970, by the session's clock; null until it is paid
   */
  at: number | null;
  code: string | null;
  description: string | null;
}

/**
 * One bulk payout: a bank debit split into credits.
 */
export interface Payout {
  /**
   * payout-1, payout-2, …
   */
  id: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  createdAt: number;
  environment: 'production' | 'sandbox';
  merchantId: string;
  /**
   * minor units of the currency (cents)
   */
  total: number;
  currency: string;
  description: string;
  debit: {
    bankName: string;
    bankBICCode: string;
    accountNumber: string;
    accountName: string;
  };
  payerName: string;
  payerReference: string;
  payerBankReference: string;
  credits: {
    merchantId: string | null;
    bankName: string;
    bankBICCode: string;
    accountNumber: string;
    accountName: string;
    /**
     * minor units of the currency (cents)
     */
    amount: number;
    state: 'Processing' | 'Paid' | 'Failed' | 'Returned';
    /**
     * planned outcomes, the next first
     */
    plannedOutcomes: {
      outcome: 'Paid' | 'Failed' | 'Returned';
      /**
       * milliseconds since 1970, by the session's clock
       */
      at: number;
      code: string | null;
      description: string | null;
      decidedBy?: DecidedBy;
    }[];
    /**
     * changes since the payout was accepted
     */
    history: {
      /**
       * milliseconds since 1970, by the session's clock
       */
      at: number;
      from: 'Processing' | 'Paid' | 'Failed' | 'Returned' | null;
      to: 'Processing' | 'Paid' | 'Failed' | 'Returned';
      cause: 'merchant' | 'payer' | 'scenario' | 'fixtures' | 'control' | 'clock';
      code: string | null;
      description: string | null;
      move?: Move;
      decidedBy?: DecidedBy;
    }[];
  }[];
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
   * time of the earliest planned outcome of a credit
   */
  dueAt: number | null;
  /**
   * the behaviour of the scenario that applied; default: the session's
   */
  behaviour?: string;
  webhookBehaviour: WebhookBehaviour;
  history: {
    /**
     * milliseconds since 1970, by the session's clock
     */
    at: number;
    from: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid' | null;
    to: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid';
    cause: 'merchant' | 'payer' | 'scenario' | 'fixtures' | 'control' | 'clock';
    code: string | null;
    description: string | null;
    move?: Move;
    decidedBy?: DecidedBy;
  }[];
  failure?: JobFailure;
}

/**
 * An order to charge a payment token repeatedly.
 */
export interface RecurringPayment {
  /**
   * 1, 2, 3 … as text
   */
  id: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  createdAt: number;
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
   * minor units of the currency (cents)
   */
  amount: number;
  profileId: number;
  accountId: number;
  state: 'Active' | 'Cancelled' | 'Completed' | 'Failed';
  cancelledAt: number | null;
  /**
   * number of charges
   */
  charges: number;
  /**
   * when the next charge is due; null if it is cancelled or has ended
   */
  dueAt: number | null;
  /**
   * why the charges ended
   */
  failure: null | JobFailure;
}

/**
 * A scenario that was defined at run time.
 */
export interface DefinedScenario {
  /**
   * the scenario's name
   */
  id: string;
  scenario: ScenarioFixture;
}

/**
 * A session's own state, without its records.
 */
export interface SessionState {
  seed: string;
  /**
   * whether payment ids and random choices come only from the seed, and so repeat in each session and after each reset, or also from the session's name and the number of its resets; default: they repeat
   */
  ids?: 'repeat' | 'differ';
  scenario: string;
  /**
   * default: standard
   */
  behaviour?: string;
  /**
   * increases with each reset and each restored state: results of an older generation are dropped
   */
  generation: number;
  clock:
    | {
        mode: 'real';
        /**
         * milliseconds ahead of the machine's clock
         */
        offset: number;
        /**
         * the clock's time when the state was stored: the clock continues from it if the machine's clock has been set back since
         */
        at?: number;
      }
    | {
        mode: 'frozen';
        /**
         * milliseconds since 1970, by the session's clock
         */
        now: number;
      };
  /**
   * number of random numbers drawn from the seed
   */
  rngPosition: number;
  /**
   * last number given out, by name; ids have room for nine digits
   */
  counters: {
    [k: string]: number;
  };
  /**
   * scenario, behaviour and clock that a reset restores
   */
  start: {
    scenario: string;
    /**
     * default: standard
     */
    behaviour?: string;
    clock:
      | {
          mode: 'real';
          /**
           * milliseconds ahead of the machine's clock
           */
          offset: number;
        }
      | {
          mode: 'frozen';
          /**
           * milliseconds since 1970, by the session's clock
           */
          now: number;
        };
  };
  /**
   * the session that it was forked from, and the last step that both share; omitted if it is not a fork
   */
  forkedFrom?: {
    session: string;
    at: string;
  };
}

/**
 * The moves on a merchant's account up to one cut-off, and the transfer of their sum to the merchant's bank. Its lines result from the records of its moves.
 */
export interface Settlement {
  /**
   * settlement-1, settlement-2, …
   */
  id: string;
  /**
   * time of its first move, by the session's clock
   */
  createdAt: number;
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
  cutOff: number;
  /**
   * the bank account to which it is transferred
   */
  bank: {
    bankBICCode: string;
    accountNumber: string;
  };
  /**
   * merchant, environment and currency, of which it is the latest; null once there is a later one
   */
  latestOf: string | null;
  /**
   * id of the one before, of the same merchant, environment and currency
   */
  previous: string | null;
  firstMove: Move;
  /**
   * the last move that can be in it; null while later ones can
   */
  throughMove: number | null;
  first: Numbers;
  last: null | Numbers;
  /**
   * as they were at the close; null while it is open
   */
  totals: null | {
    count: number;
    /**
     * minor units of the currency (cents)
     */
    gross: number;
    /**
     * minor units, below 0 if the merchant bears them
     */
    fee: number;
    /**
     * minor units of the currency (cents)
     */
    net: number;
    /**
     * amount that the previous settlement could not transfer, in minor units
     */
    carriedIn: number;
    /**
     * amount of the bank transfer, in minor units; below 0 if it is collected from the merchant's account
     */
    transferred: number;
    /**
     * amount that is carried over to the next settlement, in minor units
     */
    carriedOut: number;
    /**
     * amount that is added to the month's invoice, in minor units below 0; absent otherwise
     */
    invoiced?: number;
    /**
     * the same sums by type of line
     */
    types: {
      [k: string]: {
        count: number;
        /**
         * minor units of the currency (cents)
         */
        gross: number;
        /**
         * minor units, below 0 if the merchant bears them
         */
        fee: number;
        /**
         * minor units of the currency (cents)
         */
        net: number;
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
  /**
   * its cut-off while it is open, then its value date
   */
  dueAt: number | null;
  history: {
    /**
     * milliseconds since 1970, by the session's clock
     */
    at: number;
    from: 'Open' | 'InTransit' | 'Paid';
    to: 'InTransit' | 'Paid' | 'Returned' | 'CarriedOver' | 'Invoiced';
    cause: 'clock' | 'control';
    code: string | null;
    description: string | null;
    move?: Move;
  }[];
  failure?: JobFailure;
  /**
   * how the shown file differs from the books, by the scenario at the close; absent if it does not
   */
  mismatches?: {
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
  };
  /**
   * of its file by the calendar, as of the close; absent for 1
   */
  layout?: 1 | 2;
  /**
   * how its report reaches the merchant, by the scenario at the close
   */
  reports?: {
    /**
     * whether the merchant is notified when it is paid; default: as in settlement.json
     */
    announced?: boolean;
    /**
     * how long after it was paid its report can be fetched; if absent, from the close on
     */
    late?: string;
  };
  /**
   * how often its report was issued; if absent, once, at the close
   */
  issued?: number;
}

/**
 * numbers of records, by collection: the records between the first and the last can have moves in it
 */
export interface Numbers {
  payments?: number;
  payouts?: number;
  settlements?: number;
}

/**
 * A merchant's printed QR code: each scan creates a payment.
 */
export interface ShopCode {
  /**
   * the sandbox's own id, shop-code-1, shop-code-2, …
   */
  id: string;
  /**
   * milliseconds since 1970, by the session's clock
   */
  createdAt: number;
  environment: 'production' | 'sandbox';
  merchantId: string;
  reference: string;
  /**
   * minor units of the currency (cents); null if the payer enters it
   */
  amount: number | null;
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
}

/**
 * The state of the notifications to one address, if a behaviour can halt its queue or switch it off, or a fork has paused it.
 */
export interface WebhookQueue {
  /**
   * the address
   */
  id: string;
  /**
   * paused: a fork sends nothing until it is resumed
   */
  state: 'open' | 'halted' | 'off' | 'paused';
  /**
   * failed attempts in a row
   */
  failures: number;
  /**
   * milliseconds since 1970, by the session's clock: the first of them
   */
  failingSince: number | null;
}
