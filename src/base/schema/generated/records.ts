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
 * The number of a step that moved money, 1, 2, 3, … in its session: the order of the books, also where the clock was set back. Absent on steps that moved none.
 */
export type Move = number;

/**
 * Something that happened to a payment after it was paid: a refund or reversal gives money back, a chargeback takes it back, and may be reversed.
 */
export interface Adjustment {
  /**
   * a refund is given by the merchant, a reversal undone by the provider, a chargeback taken by the payer's bank; a late failure means that it was never paid
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
   * the address whose queue it waits in, where that can be halted
   */
  queue?: string;
  /**
   * attempts before its queue was resumed: the intervals then began again
   */
  attemptsBefore?: number;
  /**
   * its mistake, if it was forged
   */
  forgery?: 'wrong-signature' | 'unsigned' | 'old-timestamp' | 'wrong-amount' | 'wrong-currency' | 'unknown-reference';
  /**
   * the webhook tester's sample: attempted once
   */
  isTest: boolean;
  /**
   * how often it was asked for once more
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
   * secrets that were replaced, newest first: they sign as well for the time of secretOverlap in times.json
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
   * null: every merchant's
   */
  merchantId: string | null;
  /**
   * event types; null: all
   */
  types: null | string[];
}

/**
 * How often the fault of a scenario's rule has struck.
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
 * A merchant as a session knows it: from the fixture, or registered by its first request.
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
   * may receive shares of bulk payments
   */
  approved: boolean;
  /**
   * may take payments; else 403
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
   * takes profile ids that are not listed, as normal ones
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
   * channel of the payment it came with; null when it came without
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
   * id of the link, recurring payment, payment token or shop code that made it
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
   * made with a profile in test mode, so that no money moves; absent on other payments
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
   * whose limits it counts for, such as mobile:263770000001; absent until it is paid, and where there are no limits
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
   * the form of a payment link's or shop code's page that made it, so that the same one makes no other; absent on other payments
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
   * Refunded, Reversed or ChargedBack once nothing of the paid amount is left
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
   * its planned outcome, and when
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
   * adjustments that the scenario plans for after it is paid, the next first; absent if none are planned
   */
  plannedAdjustments?: PlannedAdjustment[];
  /**
   * when the scheduler must look at it next: the earlier of its expiry and its planned outcome, then its next planned adjustment; null once nothing is to come
   */
  dueAt: number | null;
  /**
   * the behaviour of the scenario that acted; default: the session's
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
   * what happened to it after it was paid, each with a step in its history; absent until something does
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
 * What a scenario will let happen to a payment after it is paid.
 */
export interface PlannedAdjustment {
  /**
   * a refund is given by the merchant, a reversal undone by the provider, a chargeback taken by the payer's bank; a late failure means that it was never paid
   */
  kind: 'refund' | 'reversal' | 'chargeback' | 'chargeback-reversed' | 'late-failure';
  /**
   * minor units of the currency (cents); null for the whole amount that is left
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
   * taken from the bank account that it names; absent on payouts from the merchant's balance
   */
  debitedFrom?: 'bank';
  /**
   * the merchant's balance is too low: nothing was taken, and every credit fails; absent on other payouts
   */
  unfunded?: true;
  /**
   * derived from the states of its credits
   */
  state: 'Processing' | 'Paid' | 'Failed' | 'PartlyPaid';
  /**
   * of the earliest outcome that is planned for a credit
   */
  dueAt: number | null;
  /**
   * the behaviour of the scenario that acted; default: the session's
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
 * An order to charge a payment token again and again.
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
   * taken from the intervals fixture when it was added
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
   * how many charges were made
   */
  charges: number;
  /**
   * when it charges next; null when it is cancelled or over
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
 * A session's own state, besides its records.
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
   * one more with each reset and each restored state: what belongs to an older one is dropped
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
   * how many numbers were drawn from the seed
   */
  rngPosition: number;
  /**
   * last number given out, by name; ids have room for nine digits
   */
  counters: {
    [k: string]: number;
  };
  /**
   * scenario, behaviour and clock that a reset goes back to
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
 * What moved on a merchant's account up to one cut-off, and the transfer of it to the merchant's bank. Its lines follow from the records of its moves.
 */
export interface Settlement {
  /**
   * settlement-1, settlement-2, …
   */
  id: string;
  /**
   * when its first move was made, by the session's clock
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
   * where it is transferred to
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
   * the last move that may be in it; null where later ones still may
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
     * minor units, below 0 where the merchant bears them
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
     * amount that is put on the month's invoice, in minor units below 0; absent otherwise
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
         * minor units, below 0 where the merchant bears them
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
   * the day on which the bank has it; null where nothing is transferred
   */
  valueDate: string | null;
  /**
   * CarriedOver: nothing could be transferred; Invoiced: the amount that the merchant owed was put on the month's invoice
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
   * how the file that is shown differs from the books, by the scenario that was followed at the close; absent where it does not
   */
  mismatches?: {
    /**
     * what goes wrong, each with one line that it fits, or with the file as a whole
     */
    kinds: SettlementMistake[];
    /**
     * stay: the file's totals are as booked, so that adding up finds what is wrong; follow: they add up to the lines that are shown
     */
    totals: 'stay' | 'follow';
    /**
     * mistakes in the bank's statement: late, short and twice affect the transfer, which gets one of them; unknown-credit is a separate entry
     */
    bank?: BankMistake[];
    /**
     * numbers of the last records at the close: a reference that is shown wrong belongs to none of the records up to these
     */
    through?: {
      payments: number;
      payouts: number;
    };
    /**
     * id of the failed payment that a status conflict has a line for; absent where there was none at the close
     */
    failed?: string;
  };
  /**
   * of its file by the calendar, as of the close; absent for 1
   */
  layout?: 1 | 2;
  /**
   * how its report reaches the merchant, by the scenario that was followed at the close
   */
  reports?: {
    /**
     * whether the merchant is notified when it is paid; default: as in settlement.json
     */
    announced?: boolean;
    /**
     * how long after it was paid its report can be fetched; absent, from the close on
     */
    late?: string;
  };
  /**
   * how often its report was issued; absent for once, at the close
   */
  issued?: number;
}

/**
 * numbers of records, by collection: those between the first and the last may have moves in it
 */
export interface Numbers {
  payments?: number;
  payouts?: number;
  settlements?: number;
}

/**
 * A merchant's printed QR code: each scan of it makes another payment.
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
   * minor units of the currency (cents); null where the payer enters it
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
   * how many payments it has made
   */
  scans: number;
}

/**
 * How the notifications to one address fare, where a behaviour halts its queue or switches it off, or a fork has paused it.
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
