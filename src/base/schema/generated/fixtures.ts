// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What may happen to a payment after it was paid.
 */
export interface AdjustmentsFixture {
  $schema?: string;
  refund: AdjustmentKind;
  reversal: AdjustmentKind;
  chargeback: {
    /**
     * whether it may be for a part of the amount that is left
     */
    inPart: boolean;
    /**
     * additional fee of the merchant, by the code of the payment's currency; 0 in currencies that are not named
     */
    fees: {
      [k: string]: number;
    };
    /**
     * what history, status query and notification say of it
     */
    description: string;
  };
  'chargeback-reversed': AdjustmentKind;
  'late-failure': {
    /**
     * always false, because a payment that was never paid was not paid in part
     */
    inPart: false;
    /**
     * what history, status query and notification say of it
     */
    description: string;
  };
}

export interface AdjustmentKind {
  /**
   * whether it may be for a part of the amount that is left
   */
  inPart: boolean;
  /**
   * what history, status query and notification say of it
   */
  description: string;
}

/**
 * The banks, all made up.
 */
export interface BanksFixture {
  $schema?: string;
  banks: {
    id: number;
    bankName: string;
    bankBICCode: string;
    createdAt: string;
    updatedAt: string;
  }[];
}

/**
 * How a provider behaves, independent of the outcomes of payments.
 */
export interface BehaviourFixture {
  $schema?: string;
  name: string;
  /**
   * never changes, and is that of a shipped behaviour; one of your own has none
   */
  id?: string;
  description: string;
  /**
   * what a merchant's code must do in this case
   */
  advice?: string;
  /**
   * where it was seen
   */
  source: string;
  /**
   * when it was seen
   */
  date: string;
  notifications?: NotificationRules;
  statusQuery?: {
    /**
     * a duration such as 15m or PT15M by which the status query is behind: it returns the state of a payment at that time before now
     */
    lag: string;
  };
  /**
   * effects on a share of the valid calls, drawn from the session's seed; a fault of the scenario takes precedence
   */
  calls?: {
    /**
     * share of the calls that get no answer; half of these are carried out nevertheless
     */
    timeouts?: number;
    /**
     * how long the others take: the first entry that fits a call acts
     *
     * @maxItems 100
     */
    latency?: {
      /**
       * ids of channels; default: every call
       *
       * @minItems 1
       */
      channels?: [string, ...string[]];
      /**
       * percentiles of the latency: durations by percentage, between which it is interpolated linearly
       */
      percentiles: {
        [k: string]: string;
      };
    }[];
    /**
     * a share of the payment answers has a response code that no list explains
     */
    unknownCodes?: {
      /**
       * of all payment answers
       */
      share: number;
      code: string;
    };
  };
}

/**
 * How a provider notifies. Defaults: at once, by POST, signed by Standard Webhooks, 15 seconds for an answer with any 2xx, tried again at webhookRetries of times.json.
 */
export interface NotificationRules {
  /**
   * a duration such as 15m or PT15M: how long after the event it is sent
   */
  delay?: string;
  method?: 'POST' | 'PUT';
  /**
   * how a receiver can tell who sent it; `hash` is one over fields and secret, in a header
   */
  proof?: 'standard-webhooks' | 'none' | 'hash';
  /**
   * the hexadecimal digest over the values of the fields and then the secret, as text, one behind the other
   */
  hash?: {
    algorithm: 'sha256' | 'sha512';
    header: string;
    /**
     * @minItems 1
     */
    fields: [
      (
        | 'status'
        | 'description'
        | 'paymentCurrency'
        | 'paymentAmount'
        | 'paymentCharges'
        | 'paymentReference'
        | 'paymentMethod'
        | 'paymentDate'
      ),
      ...(
        | 'status'
        | 'description'
        | 'paymentCurrency'
        | 'paymentAmount'
        | 'paymentCharges'
        | 'paymentReference'
        | 'paymentMethod'
        | 'paymentDate'
      )[],
    ];
  };
  /**
   * how the body is written: compact, as JSON.stringify does, or the same JSON with other spacing, escapes and forms of numbers; the signature covers the bytes that are sent
   */
  json?: 'compact' | 'other-spelling';
  /**
   * a duration such as 15m or PT15M: how long a receiver may take, in real time, ten minutes at most
   */
  timeout?: string;
  /**
   * which answers count as delivered
   */
  success?: 'any-2xx' | 'only-200';
  /**
   * how often, and how long after each failed attempt, it is tried again, to the millisecond; none, and it is sent once
   *
   * @maxItems 20
   */
  retries?: {
    times: number;
    /**
     * a duration such as 15m or PT15M: after the failed attempt
     */
    after: string;
  }[];
  /**
   * number of failed attempts in a row after which an endpoint's queue is halted: nothing is sent until it is resumed
   */
  haltAfter?: number;
  /**
   * a duration such as 15m or PT15M: an endpoint that has failed for so long without a success is switched off: its notifications are dropped until it is resumed
   */
  switchOffAfter?: string;
}

/**
 * The payment channels: names, how the payer is asked, words and codes.
 */
export interface ChannelsFixture {
  $schema?: string;
  /**
   * channel on which payment tokens that name no channel are charged
   */
  tokenChannel: string;
  /**
   * a payment token that every merchant may charge without having requested one: a recurring payment with it gets a new token
   */
  testToken?: string;
  /**
   * @minItems 1
   */
  channels: [
    {
      id: string;
      /**
       * shown to people
       */
      label: string;
      /**
       * wallet names that mean this channel, in this spelling; lenient validation takes them in any case
       *
       * @minItems 1
       */
      names: [string, ...string[]];
      /**
       * how the payer is asked
       */
      flow: string;
      /**
       * a duration such as 15m or PT15M
       */
      lifetime: string;
      /**
       * appended to card payment ids
       */
      nodeSuffix?: string;
      answers: {
        /**
         * the paymentInitiationResponse as a template; a text that is one {{placeholder}} becomes that value as it is
         */
        default: {
          [k: string]: string | null | number | boolean;
        };
        /**
         * the paymentInitiationResponse as a template; a text that is one {{placeholder}} becomes that value as it is
         */
        [k: string]: {
          [k: string]: string | null | number | boolean;
        };
      };
      /**
       * answers as a service was seen to give them, by the name that `template` of a scenario picks; each is sent with its own members in its own order, whatever the interface says
       */
      recordedAnswers?: {
        /**
         * the paymentInitiationResponse as a template; a text that is one {{placeholder}} becomes that value as it is
         */
        [k: string]: {
          [k: string]: unknown;
        };
      };
      /**
       * the outcome of a payment on a profile in test mode
       */
      testMode?: {
        resultCode: string;
        settle: {
          outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
          /**
           * a duration such as 15m or PT15M
           */
          after: string;
          code?: string;
          description?: string;
        };
      };
      outcomes: {
        Paid: OutcomeWords;
        Failed: OutcomeWords;
        Cancelled: OutcomeWords;
        Expired: OutcomeWords;
      };
    },
    ...{
      id: string;
      /**
       * shown to people
       */
      label: string;
      /**
       * wallet names that mean this channel, in this spelling; lenient validation takes them in any case
       *
       * @minItems 1
       */
      names: [string, ...string[]];
      /**
       * how the payer is asked
       */
      flow: string;
      /**
       * a duration such as 15m or PT15M
       */
      lifetime: string;
      /**
       * appended to card payment ids
       */
      nodeSuffix?: string;
      answers: {
        /**
         * the paymentInitiationResponse as a template; a text that is one {{placeholder}} becomes that value as it is
         */
        default: {
          [k: string]: string | null | number | boolean;
        };
        /**
         * the paymentInitiationResponse as a template; a text that is one {{placeholder}} becomes that value as it is
         */
        [k: string]: {
          [k: string]: string | null | number | boolean;
        };
      };
      /**
       * answers as a service was seen to give them, by the name that `template` of a scenario picks; each is sent with its own members in its own order, whatever the interface says
       */
      recordedAnswers?: {
        /**
         * the paymentInitiationResponse as a template; a text that is one {{placeholder}} becomes that value as it is
         */
        [k: string]: {
          [k: string]: unknown;
        };
      };
      /**
       * the outcome of a payment on a profile in test mode
       */
      testMode?: {
        resultCode: string;
        settle: {
          outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
          /**
           * a duration such as 15m or PT15M
           */
          after: string;
          code?: string;
          description?: string;
        };
      };
      outcomes: {
        Paid: OutcomeWords;
        Failed: OutcomeWords;
        Cancelled: OutcomeWords;
        Expired: OutcomeWords;
      };
    }[],
  ];
}

export interface OutcomeWords {
  code: string;
  description: string;
}

/**
 * The currencies.
 */
export interface CurrenciesFixture {
  $schema?: string;
  /**
   * @minItems 1
   */
  currencies: [
    {
      id: number;
      currencyName: string;
      currencyCode: string;
      currencySymbol: string;
      createdAt: string;
      updatedAt: string;
    },
    ...{
      id: number;
      currencyName: string;
      currencyCode: string;
      currencySymbol: string;
      createdAt: string;
      updatedAt: string;
    }[],
  ];
}

/**
 * HTTP statuses of refusals, and the error bodies of the operation families.
 */
export interface ErrorsFixture {
  $schema?: string;
  statuses: {
    'malformed-body'?: number;
    'invalid-field'?: number;
    'wrong-credentials'?: number;
    'bad-bearer'?: number;
    'merchant-not-activated'?: number;
    'forbidden-origin'?: number;
    'unknown-path'?: number;
    'unknown-record'?: number;
    'wrong-method'?: number;
    conflict?: number;
    'session-ended'?: number;
    'body-too-large'?: number;
    'wrong-media-type'?: number;
    'business-rule'?: number;
    'expectation-failed'?: number;
    'too-many-sessions'?: number;
    'internal-error'?: number;
    moved?: number;
    stopping?: number;
    storage?: number;
    overloaded?: number;
    'unreadable-session'?: number;
    'outcome-unknown'?: number;
  };
  envelopes: {
    'access-token': {
      [k: string]: unknown;
    };
    payment: {
      [k: string]: unknown;
    };
    acknowledgement: {
      [k: string]: unknown;
    };
    'payment-link': {
      [k: string]: unknown;
    };
    query: {
      [k: string]: unknown;
    };
  };
}

/**
 * What a payment costs, by channel; `payout` for bulk payouts.
 */
export interface FeesFixture {
  $schema?: string;
  fees: {
    channel: string;
    id: number;
    /**
     * whose fees they are, before those of DEFAULT, which are every merchant's
     */
    feesMerchantId: string;
    feesPaymentMethod: number;
    /**
     * percent; with feesGatewayFee at most 100
     */
    feesMarkUp: number;
    /**
     * flat
     */
    feesServiceProviderFee: number;
    /**
     * percent; with feesMarkUp at most 100
     */
    feesGatewayFee: number;
    feesMinAmount: number;
    feesMaxAmount: number;
    feesStartDate: string;
    feesEndDate: string;
    feesCurrencyId: number;
    feesUserId: string;
    feesStatus: boolean;
  }[];
}

/**
 * Who bears fees and payouts in the books. A record keeps the values that applied when it was created.
 */
export interface LedgerFixture {
  $schema?: string;
  /**
   * who bears the fees of a payment: taken off what the merchant gets, or paid by the payer on top
   */
  feesBorneBy: 'merchant' | 'payer';
  /**
   * the source of payouts: the bank account that they name, or the merchant's balance
   */
  payoutDebit: 'bank' | 'merchant';
  /**
   * whether a payout from the merchant's balance fails with AM04 if the balance is too low; the balance of a bank account is unknown
   */
  payoutFunds: 'unlimited' | 'enforced';
  /**
   * who bears the fees of a split payment: each receiver by its share, or the merchant that asked for it
   */
  splitFees: 'pro-rata' | 'initiator';
}

export type Profiles = {
  id: number;
  name: string;
  mode: 'normal' | 'test';
}[];

/**
 * The merchants of every session, and the defaults of a new one.
 */
export interface MerchantsFixture {
  $schema?: string;
  newcomer: {
    name: string;
    /**
     * may receive shares of bulk payments
     */
    approved: boolean;
    /**
     * may take payments; else 403
     */
    activated: boolean;
    user: User;
    accountId: number;
    profiles: Profiles;
    /**
     * takes profile ids that are not listed, as normal ones
     */
    anyProfile: boolean;
  };
  merchants: {
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
    user: User;
    accountId: number;
    profiles: Profiles;
    /**
     * takes profile ids that are not listed, as normal ones
     */
    anyProfile: boolean;
    /**
     * endpoints that this merchant's notifications go to
     */
    webhooks?: {
      /**
       * an http or https address, or sandbox:catch, whose notifications the sandbox takes itself
       */
      url: string;
      secret?: string;
      types?: string[];
    }[];
  }[];
}

export interface User {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  role: string;
}

/**
 * an operation of the merchant API
 */
export type OperationName =
  | 'getAccessToken'
  | 'initiatePayment'
  | 'initiateBulkPayment'
  | 'initiateBulkPayout'
  | 'saveFastCheckout'
  | 'getPaymentStatus'
  | 'listPaymentIntervals'
  | 'listCurrencies'
  | 'listBanks'
  | 'calculateFees'
  | 'testWebhook'
  | 'addRecurringPayment'
  | 'cancelRecurringPayment'
  | 'requestPaymentToken'
  | 'requestPaymentTokenAndPay';

/**
 * Further paths of operations, and the messages that their answers carry.
 */
export interface OperationsFixture {
  $schema?: string;
  operations: {
    [k: string]: {
      /**
       * further paths of the operation
       */
      aliases?: {
        environment: 'production' | 'sandbox';
        /**
         * a path such as /v2/pay, not below /_sandbox, /pay or /s
         */
        path: string;
      }[];
      messages?: {
        [k: string]: string;
      };
    };
  };
}

/**
 * Limits and balances of payers. A payment that exceeds one fails when it is approved.
 */
export interface PayerLimitsFixture {
  $schema?: string;
  /**
   * every row that matches a payment applies to it
   */
  limits: {
    /**
     * default: all channels together
     *
     * @minItems 1
     */
    channels?: [string, ...string[]];
    /**
     * default: each currency separately
     */
    currency?: string;
    /**
     * default: each payer separately. A payment's payer is its mobile number; without one, its test card, and without that, its account
     */
    payer?: {
      mobile?: string;
      accountId?: number;
      /**
       * its id in test-cards.json
       */
      testCard?: string;
    };
    /**
     * of one payment
     */
    maxPayment?: number;
    /**
     * of a payer's first payment
     */
    maxFirst?: number;
    /**
     * limits per day of the local offset in times.json
     */
    perDay?: {
      /**
       * in the payment's currency
       */
      maxAmount?: number;
      /**
       * number of payments
       */
      maxCount?: number;
    };
    /**
     * limits per month of the local offset in times.json
     */
    perMonth?: {
      /**
       * in the payment's currency
       */
      maxAmount?: number;
      /**
       * number of payments
       */
      maxCount?: number;
    };
    /**
     * limits within a period before an approval
     */
    rolling?: {
      /**
       * a duration such as 15m or PT15M
       */
      period: string;
      /**
       * in the payment's currency
       */
      maxAmount?: number;
      /**
       * number of payments
       */
      maxCount?: number;
    };
    /**
     * the payer's balance; refunds, reversals and chargebacks are added to it
     */
    balance?: number;
    /**
     * in place of the channel's code below
     */
    code?: string;
    description?: string;
  }[];
  /**
   * why a payment that exceeds a limit fails; the first row with its channel, or without channels, applies
   *
   * @minItems 1
   */
  reasons: [
    {
      /**
       * @minItems 1
       */
      channels?: [string, ...string[]];
      amount: {
        code: string;
        description: string;
      };
      count: {
        code: string;
        description: string;
      };
      balance: {
        code: string;
        description: string;
      };
    },
    ...{
      /**
       * @minItems 1
       */
      channels?: [string, ...string[]];
      amount: {
        code: string;
        description: string;
      };
      count: {
        code: string;
        description: string;
      };
      balance: {
        code: string;
        description: string;
      };
    }[],
  ];
}

/**
 * The intervals of recurring payments.
 */
export interface PaymentIntervalsFixture {
  $schema?: string;
  /**
   * @minItems 1
   */
  paymentIntervals: [
    {
      id: number;
      paymentIntervalName: string;
      /**
       * days
       */
      paymentIntervalDuration: number;
      createdAt: string;
      updatedAt: string;
    },
    ...{
      id: number;
      paymentIntervalName: string;
      /**
       * days
       */
      paymentIntervalDuration: number;
      createdAt: string;
      updatedAt: string;
    }[],
  ];
}

/**
 * the `status`; one that clients take for another state is refused, in whatever casing
 */
export type Word = string;

/**
 * What notifications and status queries call each state of a payment or a payout, what happens to a payment after it was paid, what becomes of a credit of a payout, and of the transfer that settles a merchant.
 */
export interface PaymentStatesFixture {
  $schema?: string;
  Processing: StateWords;
  Paid: StateWords;
  Failed: StateWords;
  Cancelled: StateWords;
  Expired: StateWords;
  PartlyRefunded: AdjustmentWords;
  Refunded: AdjustmentWords;
  PartlyReversed: AdjustmentWords;
  Reversed: AdjustmentWords;
  PartlyChargedBack: AdjustmentWords;
  ChargedBack: AdjustmentWords;
  ChargebackReversed: AdjustmentWords;
  PartlyPaid: StateWords;
  CreditPaid: CreditWords;
  CreditFailed: CreditWords;
  CreditReturned: CreditWords;
  SettlementPaid: SettlementWords;
  SettlementReturned: SettlementWords;
  SettlementCollected: SettlementWords;
  SettlementCollectionReturned: SettlementWords;
}

export interface StateWords {
  word: Word;
  /**
   * where nothing else is known of it
   */
  description: string;
}

/**
 * of what happened last to a payment that was paid: in part while some of it is left, else as a whole
 */
export interface AdjustmentWords {
  word: Word;
  /**
   * a template with {{reason}}, {{amount}} (that went back, or came again), {{paid}} (the whole payment), {{left}} and {{currency}}
   */
  description: string;
}

export interface CreditWords {
  word: Word;
  /**
   * a template with {{number}}, {{count}} and {{reason}} (its code, and what that means)
   */
  description: string;
  /**
   * where none is known
   */
  reason: string;
}

export interface SettlementWords {
  word: Word;
  /**
   * a template with {{businessDate}}, {{reason}} and {{report}} (the address of its file)
   */
  description: string;
  /**
   * where none is known
   */
  reason: string;
}

/**
 * Outcomes of a payout's credits by their accounts, and the reasons of banks.
 */
export interface PayoutsFixture {
  $schema?: string;
  /**
   * whether the merchant is notified of each credit, and not of the payout alone
   */
  notifyCredits: boolean;
  /**
   * external codes of ISO 20022, whose sets of status and return reasons differ
   */
  codes: {
    /**
     * reasons by code
     */
    Failed: {
      [k: string]: string;
    };
    /**
     * reasons by code
     */
    Returned: {
      [k: string]: string;
    };
  };
  /**
   * credits that fail, in this order; null switches a check off
   */
  checks: {
    /**
     * the form of a BIC
     */
    bankBICCode: {
      /**
       * a regular expression
       */
      pattern: string;
      /**
       * among codes.Failed
       */
      code: string;
    } | null;
    /**
     * whether banks.json has a bank of this BIC
     */
    bankKnown: {
      /**
       * among codes.Failed
       */
      code: string;
    } | null;
    /**
     * what an account number must look like
     */
    accountNumber: {
      /**
       * a regular expression
       */
      pattern: string;
      /**
       * among codes.Failed
       */
      code: string;
    } | null;
  };
  /**
   * test accounts by their number, at any bank; null for none
   */
  accounts: {
    [k: string]: {
      /**
       * Returned: paid first
       */
      outcome: 'Failed' | 'Returned';
      /**
       * among the codes of the outcome
       */
      code: string;
    } | null;
  };
}

/**
 * The pretend phone: its PIN, and what too many wrong ones lead to.
 */
export interface PhoneFixture {
  $schema?: string;
  pin: string;
  tries: number;
  wrongPin: {
    outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
    code: string;
    description: string;
  };
}

export type AnswerMember = string | null | number | boolean;

export type SettlementMistake =
  | 'missing'
  | 'doubled'
  | 'unknown'
  | 'next-day'
  | 'fee'
  | 'cent'
  | 'date'
  | 'currency'
  | 'sign'
  | 'reference'
  | 'net'
  | 'merged'
  | 'split'
  | 'status-conflict'
  | 'hidden-adjustment'
  | 'file-again'
  | 'corrected-file'
  | 'new-layout';

export type BankMistake = 'late' | 'short' | 'twice' | 'unknown-credit';

/**
 * What should happen: rules, the first that matches a call acts.
 */
export interface ScenarioFixture {
  $schema?: string;
  name: string;
  /**
   * never changes, and is that of a shipped scenario; one of your own has none
   */
  id?: string;
  description: string;
  /**
   * what a merchant's code must do in this case
   */
  advice?: string;
  /**
   * how the provider behaves for records that are initiated under this scenario; default: the session's behaviour
   */
  behaviour?: string;
  /**
   * @maxItems 1000
   */
  rules: {
    when?: {
      /**
       * an operation of the interface, or several; `payPaymentLink`, `payShopCode` and `chargeRecurringPayment` are the payments without a merchant's call, `closeSettlement` is the end of a merchant's day
       */
      operation?: string | string[];
      /**
       * a channel's id, or several
       *
       * @minItems 1
       */
      channel?: string | [string, ...string[]];
      environment?: 'production' | 'sandbox';
      amount?: AmountRange;
      /**
       * a JSON Schema (2020-12) that the body must fit: without $ref, at most 50 levels deep, 65,536 characters long and of 500 values, not counting those of an enum, with patterns in RE2 syntax of 2,000 steps together, where a repetition counts as often as it may repeat; a scenario has at most 1,000 schemas, of 5,000 values and 1,048,576 characters together
       */
      body?: {
        [k: string]: unknown;
      };
    };
    fault?: {
      /**
       * on arrival, for any call; or before or after a valid call is carried out
       */
      at: 'arrival' | 'before' | 'after';
      /**
       * timeout: no answer until the client gives up; latency: only slow
       */
      kind: 'latency' | 'reset' | 'timeout' | 'empty-body' | 'malformed-body' | 'status';
      /**
       * a duration such as 15m or PT15M
       */
      latency?: string;
      status?: number;
      /**
       * for kind status: the error message
       */
      message?: string;
      /**
       * seconds, as Retry-After
       */
      retryAfter?: number;
      probability?: number;
      /**
       * how many times the fault strikes; default: every time
       */
      times?: number;
    };
    /**
     * members that replace those of the channel's answer; `template` picks another of the channel's answers, `unused`: "empty" sends "" for unused members instead of null, "absent" leaves the four members after paymentRedirectUrl out where none of them is used
     */
    respond?: {
      template?: string;
      unused?: 'empty' | 'absent';
      status?: AnswerMember;
      paymentTokenExpiry?: AnswerMember;
      paymentTokenDescription?: AnswerMember;
      paymentToken?: AnswerMember;
      paymentId?: AnswerMember;
      paymentRedirectUrl?: AnswerMember;
      paymentResponseMessage?: AnswerMember;
      paymentProcessedDateTime?: AnswerMember;
      paymentCode?: AnswerMember;
      paymentQrCode?: AnswerMember;
      [k: string]: string | null | number | boolean | 'empty' | 'absent' | AnswerMember | undefined;
    };
    /**
     * the outcome of a payment; for a payout, of all credits without an outcome in `credits` or payouts.json, with Failed for Cancelled and Expired
     */
    settle?: {
      outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
      /**
       * a duration such as 15m or PT15M
       */
      after: string;
      code?: string;
      description?: string;
    };
    /**
     * outcomes of single credits of a payout: the first entry that matches a credit acts
     *
     * @maxItems 1000
     */
    credits?: {
      when?: {
        /**
         * its place in the list, from 1, or several
         *
         * @minItems 1
         */
        number?: number | [number, ...number[]];
        /**
         * of the receiver, or several
         *
         * @minItems 1
         */
        merchantId?: string | [string, ...string[]];
        /**
         * or several
         *
         * @minItems 1
         */
        bankBICCode?: string | [string, ...string[]];
        /**
         * or several
         *
         * @minItems 1
         */
        accountNumber?: string | [string, ...string[]];
        amount?: AmountRange1;
        /**
         * a JSON Schema that the entry of dynamicCreditList must fit, with the bounds of a rule's `when.body`
         */
        body?: {
          [k: string]: unknown;
        };
      };
      outcome: 'Paid' | 'Failed';
      /**
       * a duration such as 15m or PT15M; default: that of settle, else payoutDuration of times.json
       */
      after?: string;
      /**
       * any; one of payouts.json brings its reason
       */
      code?: string;
      /**
       * default: the reason in payouts.json
       */
      description?: string;
      /**
       * the paid credit is returned
       */
      returned?: {
        /**
         * a duration such as 15m or PT15M from when it was paid; default: returnDuration of times.json
         */
        after?: string;
        code?: string;
        description?: string;
      };
    }[];
    /**
     * what happens to a payment after it is paid, or several such things
     */
    adjustments?:
      | {
          [k: string]: unknown;
        }
      | {
          [k: string]: unknown;
        }[];
    /**
     * a later change of the outcome: Paid if the payment had failed or expired, Failed if it had been paid
     */
    lateOutcome?: {
      outcome: 'Paid' | 'Failed';
      /**
       * a duration such as 15m or PT15M, from when it was settled
       */
      after: string;
      code?: string;
      description?: string;
    };
    /**
     * the payer's balance, a decimal with two places: an approval fails if it is too low
     */
    balance?: string;
    /**
     * enforced: its payouts are taken from the merchant's balance, and fail with AM04 if it is too low
     */
    payoutFunds?: 'unlimited' | 'enforced';
    /**
     * of `closeSettlement`: how the settlement file and the bank statement that are shown differ from the books
     */
    mismatches?: {
      /**
       * what goes wrong, each with one line that it fits, or with the file as a whole
       *
       * @minItems 1
       */
      kinds?: [SettlementMistake, ...SettlementMistake[]];
      /**
       * stay: the file's totals are as booked, so that adding up finds what is wrong; follow: they add up to the lines that are shown; default: stay
       */
      totals?: 'stay' | 'follow';
      /**
       * mistakes in the bank's statement: late, short and twice affect the transfer, which gets one of them; unknown-credit is a separate entry
       *
       * @minItems 1
       */
      bank?: [BankMistake, ...BankMistake[]];
    };
    /**
     * how long an access token of the call is valid, as an ISO 8601 duration; default: `accessTokenLifetime` of times.json
     */
    tokenLifetime?: string;
    /**
     * of `closeSettlement`: how the report of a settlement reaches its merchant
     */
    reports?: {
      /**
       * whether merchants get a notification when a settlement is paid; default: `notify` of settlement.json
       */
      announced?: boolean;
      /**
       * how long after the settlement was paid the report can be fetched, as a duration; default: as soon as it is closed
       */
      late?: string;
    };
    webhook?: WebhookBehaviour;
  }[];
}

/**
 * the amount of a payment, from minimum to maximum, both included; a call without an `amount` does not match
 */
export interface AmountRange {
  minimum?: number;
  maximum?: number;
}

/**
 * from minimum to maximum, both included
 */
export interface AmountRange1 {
  minimum?: number;
  maximum?: number;
}

/**
 * How a notification is delivered, or broken on purpose.
 */
export interface WebhookBehaviour {
  mode:
    | 'normal'
    | 'duplicate'
    | 'delayed'
    | 'reordered'
    | 'dropped'
    | 'tampered'
    | 'slow'
    | 'burst'
    | 'forged'
    | 'before-answer';
  /**
   * a duration such as 15m or PT15M: how late a delayed one is, how far reordered ones are spread, how long a slow one stops halfway
   */
  delay?: string;
  /**
   * how often a burst repeats it
   */
  count?: number;
  /**
   * mistakes in forged notifications, each of which claims Paid for a payment that still waits for its payer; default: all of these
   *
   * @minItems 1
   */
  forgeries?: [
    'wrong-signature' | 'unsigned' | 'old-timestamp' | 'wrong-amount' | 'wrong-currency' | 'unknown-reference',
    ...('wrong-signature' | 'unsigned' | 'old-timestamp' | 'wrong-amount' | 'wrong-currency' | 'unknown-reference')[],
  ];
}

/**
 * in their order; debit and credit are the net without a sign; netMinorUnits is the net in cents without a sign, which direction has: CR for the merchant, DR against
 *
 * @minItems 1
 */
export type Columns = [
  (
    | 'record'
    | 'line'
    | 'settlementId'
    | 'merchantId'
    | 'environment'
    | 'sequence'
    | 'version'
    | 'layout'
    | 'periodStart'
    | 'periodEnd'
    | 'valueDate'
    | 'bankBICCode'
    | 'accountNumber'
    | 'lineType'
    | 'occurredAt'
    | 'businessDate'
    | 'recordId'
    | 'sourceId'
    | 'entryId'
    | 'paymentReference'
    | 'paymentId'
    | 'originalReference'
    | 'channel'
    | 'currency'
    | 'gross'
    | 'fee'
    | 'net'
    | 'feeMarkUp'
    | 'feeServiceProvider'
    | 'feeGateway'
    | 'feePayout'
    | 'feeChargeback'
    | 'carriedIn'
    | 'transferred'
    | 'carriedOut'
    | 'invoiced'
    | 'code'
    | 'description'
    | 'debit'
    | 'credit'
    | 'netMinorUnits'
    | 'direction'
  ),
  ...(
    | 'record'
    | 'line'
    | 'settlementId'
    | 'merchantId'
    | 'environment'
    | 'sequence'
    | 'version'
    | 'layout'
    | 'periodStart'
    | 'periodEnd'
    | 'valueDate'
    | 'bankBICCode'
    | 'accountNumber'
    | 'lineType'
    | 'occurredAt'
    | 'businessDate'
    | 'recordId'
    | 'sourceId'
    | 'entryId'
    | 'paymentReference'
    | 'paymentId'
    | 'originalReference'
    | 'channel'
    | 'currency'
    | 'gross'
    | 'fee'
    | 'net'
    | 'feeMarkUp'
    | 'feeServiceProvider'
    | 'feeGateway'
    | 'feePayout'
    | 'feeChargeback'
    | 'carriedIn'
    | 'transferred'
    | 'carriedOut'
    | 'invoiced'
    | 'code'
    | 'description'
    | 'debit'
    | 'credit'
    | 'netMinorUnits'
    | 'direction'
  )[],
];

/**
 * When merchants are settled, and the file that they get.
 */
export interface SettlementFixture {
  $schema?: string;
  /**
   * whether settlements are closed at their cut-off; else by the control API alone
   */
  automatic: boolean;
  /**
   * local time at which a business date ends; 24:00 is the end of the day. 00:00 is its beginning: what happens on a day then belongs to the next business date
   */
  cutOff: string;
  /**
   * an IANA time zone, or an offset from UTC; default: the localOffset of times.json
   */
  zone?: string;
  /**
   * business days from the business date to the value date
   */
  delayDays: number;
  /**
   * local time of the value date at which the bank has it
   */
  valueTime: string;
  /**
   * days of the week that are no business days
   *
   * @maxItems 6
   */
  weekend: ('Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday')[];
  /**
   * further days that are no business days
   */
  holidays: string[];
  /**
   * smaller totals are carried over to the next settlement
   */
  minimum: string;
  /**
   * how a balance below 0 at the close is handled: carried over to the next settlement, collected from the merchant's bank account, or put on the month's invoice; default: carry
   */
  negativeBalance?: 'carry' | 'collect' | 'invoice';
  /**
   * the month's invoice for fees
   */
  invoice?: {
    /**
     * who issues it; default: Payment service provider
     */
    seller?: string;
    /**
     * value added tax on the fees, in per cent with at most two decimals; default: 0
     */
    vatPercent?: string;
  };
  /**
   * whether merchants get a notification when a settlement is paid
   */
  notify: boolean;
  /**
   * where merchants are paid
   */
  account: {
    bankBICCode: string;
    /**
     * may have {{merchantId}} in it
     */
    accountNumber: string;
  };
  file: {
    columns: Columns;
    delimiter: ',' | ';' | '\t' | '|';
    decimalMark: '.' | ',';
    byteOrderMark: boolean;
    /**
     * an apostrophe before texts that a spreadsheet would take for a formula: those that begin with = + - @, also full-width, a tab or a line break; default: false, which leaves every text unchanged
     */
    escapeFormulas?: boolean;
    /**
     * layout 2 of the CSV file, on a day that is known before; the mistake `new-layout` has it without notice
     */
    nextLayout?: {
      /**
       * the first business date whose file has this layout; default: none
       */
      from?: string;
      columns: Columns;
    };
  };
}

/**
 * A merchant's printed QR codes.
 */
export interface ShopCodesFixture {
  $schema?: string;
  /**
   * the reference of a payment: {{code}} is that of its code, {{sequence}} 1, 2, 3, … of that code; without it, all payments of a code have the same
   */
  paymentReference: string;
  /**
   * default content of a code
   */
  content: 'address' | 'emv';
  /**
   * members of EMVCo's payload besides those from the code
   */
  emv: {
    /**
     * names the scheme, in the merchant's account information (26-00)
     */
    account: string;
    /**
     * merchant category code (52)
     */
    category: string;
    /**
     * ISO 3166 (58)
     */
    country: string;
    /**
     * (60)
     */
    city: string;
    /**
     * the numbers of ISO 4217 by currency code (53)
     */
    currencies: {
      [k: string]: string;
    };
  };
}

/**
 * The cards that the checkout accepts, with their outcomes. No real card is among them.
 */
export interface TestCardsFixture {
  $schema?: string;
  /**
   * MM/YY that goes with all of them
   */
  expiry: string;
  securityCode: string;
  /**
   * the one-time code of the 3-D Secure challenge
   */
  challengeCode: string;
  networks: {
    channel: string;
    prefixes: string[];
  }[];
  cards: {
    id: string;
    label: string;
    /**
     * by channel
     */
    numbers: {
      [k: string]: string;
    };
    challenge: 'passed' | 'failed' | 'abandoned' | null;
    outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
    code: string;
    description: string;
    /**
     * why it failed, as shown to the payer; default: the description
     */
    payerReason?: string;
  }[];
}

/**
 * Offsets that timestamps are written with, and lifetimes.
 */
export interface TimesFixture {
  $schema?: string;
  /**
   * an offset from UTC of at most 14 hours
   */
  localOffset: string;
  /**
   * an offset from UTC of at most 14 hours
   */
  notificationOffset: string;
  /**
   * a duration such as 15m or PT15M
   */
  accessTokenLifetime: string;
  /**
   * a duration such as 15m or PT15M
   */
  paymentTokenLifetime: string;
  /**
   * how long after its request a payout is paid
   */
  payoutDuration: string;
  /**
   * default time until a paid credit is returned
   */
  returnDuration: string;
  /**
   * how long after each failed attempt a notification is tried again; after the last one it is given up
   */
  webhookRetries: string[];
  /**
   * how long the previous secret of an endpoint signs as well after it was replaced; PT0S: not at all
   */
  secretOverlap: string;
}

/**
 * What the webhook tester sends, by webHookType.
 */
export interface WebhookSamplesFixture {
  $schema?: string;
  samples: {
    [k: string]: {
      status: string;
      description: string;
      paymentCurrency: string;
      paymentAmount: number;
      paymentCharges: number;
      paymentReference: string;
      paymentMethod: string;
      paymentDate: string;
    };
  };
}
