// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * What can happen to a payment after it was paid.
 */
export interface AdjustmentsFixture {
  $schema?: string;
  refund: AdjustmentKind;
  reversal: AdjustmentKind;
  chargeback: {
    /**
     * whether it may be for a part of the remaining amount
     */
    inPart: boolean;
    /**
     * additional fee of the merchant, by the code of the payment's currency; 0 in currencies that are not named
     */
    fees: {
      [k: string]: number;
    };
    /**
     * its description in history, status query and notification
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
     * its description in history, status query and notification
     */
    description: string;
  };
}

export interface AdjustmentKind {
  /**
   * whether it may be for a part of the remaining amount
   */
  inPart: boolean;
  /**
   * its description in history, status query and notification
   */
  description: string;
}

/**
 * The banks, all invented.
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
   * never changes; only shipped behaviours have one
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
     * a duration such as 15m or PT15M by which the status query lags behind: it returns the state that a payment had that long ago
     */
    lag: string;
  };
  /**
   * effects on a share of the valid calls, chosen by the session's seed; a fault of the scenario takes precedence
   */
  calls?: {
    /**
     * share of the calls that get no answer; half of these are carried out nevertheless
     */
    timeouts?: number;
    /**
     * how long the others take: the first entry that matches a call applies
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
     * makes a share of the payment answers have an undocumented response code
     */
    unknownCodes?: {
      /**
       * share of all payment answers
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
   * how a receiver can verify the sender; `hash` is a digest of fields and secret, in a header
   */
  proof?: 'standard-webhooks' | 'none' | 'hash';
  /**
   * the hexadecimal digest of the concatenated values of the fields and the secret, as text
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
   * how the body is written: compact, like JSON.stringify, or the same JSON with different spacing, escapes and forms of numbers; the signature covers the bytes that are sent
   */
  json?: 'compact' | 'other-spelling';
  /**
   * a duration such as 15m or PT15M: how long a receiver may take, in real time, at most ten minutes
   */
  timeout?: string;
  /**
   * which answers count as delivered
   */
  success?: 'any-2xx' | 'only-200';
  /**
   * the retries, each with the time after the failed attempt, to the millisecond; if empty, it is sent once
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
   * number of consecutive failed attempts after which an endpoint's queue is halted: nothing is sent until it is resumed
   */
  haltAfter?: number;
  /**
   * a duration such as 15m or PT15M: an endpoint that has failed for this long without a success is switched off: its notifications are dropped until it is resumed
   */
  switchOffAfter?: string;
}

/**
 * The payment channels: names, how the payer is asked, words and codes.
 */
export interface ChannelsFixture {
  $schema?: string;
  /**
   * channel on which payment tokens without a channel are charged
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
       * display name
       */
      label: string;
      /**
       * wallet names of this channel, in this spelling; lenient validation accepts them in any case
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
         * the paymentInitiationResponse as a template; a text that is a single {{placeholder}} becomes that value unchanged
         */
        default: {
          [k: string]: string | null | number | boolean;
        };
        /**
         * the paymentInitiationResponse as a template; a text that is a single {{placeholder}} becomes that value unchanged
         */
        [k: string]: {
          [k: string]: string | null | number | boolean;
        };
      };
      /**
       * answers as a service was seen to give them, by the name that `template` of a scenario selects; each is sent with its own members in its own order, even if the interface differs
       */
      recordedAnswers?: {
        /**
         * the paymentInitiationResponse as a template; a text that is a single {{placeholder}} becomes that value unchanged
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
       * display name
       */
      label: string;
      /**
       * wallet names of this channel, in this spelling; lenient validation accepts them in any case
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
         * the paymentInitiationResponse as a template; a text that is a single {{placeholder}} becomes that value unchanged
         */
        default: {
          [k: string]: string | null | number | boolean;
        };
        /**
         * the paymentInitiationResponse as a template; a text that is a single {{placeholder}} becomes that value unchanged
         */
        [k: string]: {
          [k: string]: string | null | number | boolean;
        };
      };
      /**
       * answers as a service was seen to give them, by the name that `template` of a scenario selects; each is sent with its own members in its own order, even if the interface differs
       */
      recordedAnswers?: {
        /**
         * the paymentInitiationResponse as a template; a text that is a single {{placeholder}} becomes that value unchanged
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
     * the merchant whose fees they are, or DEFAULT for all merchants; a merchant's own fees take precedence
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
 * Who bears fees and payouts in the books. A record keeps the values of the time when it was created.
 */
export interface LedgerFixture {
  $schema?: string;
  /**
   * who bears the fees of a payment: the merchant, from whose amount they are deducted, or the payer, who pays them in addition
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
   * who bears the fees of a split payment: each receiver by its share, or the merchant that initiated it
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
    /**
     * endpoints for this merchant's notifications
     */
    webhooks?: {
      /**
       * an http or https address, or sandbox:catch, whose notifications the sandbox itself receives
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
 * Further paths of operations, and the messages in their answers.
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
   * all rows that match a payment apply to it
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
     * maximum amount of one payment
     */
    maxPayment?: number;
    /**
     * maximum amount of a payer's first payment
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
     * replaces the channel's code below
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
 * the `status`; a word that means another state to clients, in upper or lower case, is refused
 */
export type Word = string;

/**
 * The words of notifications and status queries for the states of payments and payouts, for adjustments, and for the outcomes of payouts' credits and of transfers that settle a merchant.
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
   * default description
   */
  description: string;
}

/**
 * for the last adjustment of a paid payment: in part while an amount remains, otherwise as a whole
 */
export interface AdjustmentWords {
  word: Word;
  /**
   * a template with {{reason}}, {{amount}} (of the adjustment), {{paid}} (the whole payment), {{left}} and {{currency}}
   */
  description: string;
}

export interface CreditWords {
  word: Word;
  /**
   * a template with {{number}}, {{count}} and {{reason}} (its code and the meaning)
   */
  description: string;
  /**
   * default reason
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
   * default reason
   */
  reason: string;
}

/**
 * Outcomes of a payout's credits by their accounts, and the reasons of banks.
 */
export interface PayoutsFixture {
  $schema?: string;
  /**
   * whether the merchant is notified of each credit, in addition to the payout
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
     * whether banks.json has a bank with this BIC
     */
    bankKnown: {
      /**
       * among codes.Failed
       */
      code: string;
    } | null;
    /**
     * the form of an account number
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
       * Returned: it is paid first
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
 * The simulated phone: its PIN, and the effect of too many wrong ones.
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
 * A scenario: its first rule that matches a call applies.
 */
export interface ScenarioFixture {
  $schema?: string;
  name: string;
  /**
   * never changes; only shipped scenarios have one
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
       * an operation of the interface, or several; `payPaymentLink`, `payShopCode` and `chargeRecurringPayment` are payments that no merchant's call initiates, `closeSettlement` is the end of a merchant's day
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
       * on arrival, for any call; or before or after a valid call is executed
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
       * how many times the fault occurs; default: every time
       */
      times?: number;
    };
    /**
     * members that replace those of the channel's answer; `template` selects another of the channel's answers, `unused`: "empty" sends "" for unused members instead of null, "absent" omits the four members after paymentRedirectUrl if none of them is used
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
     * outcomes of single credits of a payout: the first entry that matches a credit applies
     *
     * @maxItems 1000
     */
    credits?: {
      when?: {
        /**
         * its number in the list, from 1, or several
         *
         * @minItems 1
         */
        number?: number | [number, ...number[]];
        /**
         * merchantId of the receiver, or several
         *
         * @minItems 1
         */
        merchantId?: string | [string, ...string[]];
        /**
         * one or several
         *
         * @minItems 1
         */
        bankBICCode?: string | [string, ...string[]];
        /**
         * one or several
         *
         * @minItems 1
         */
        accountNumber?: string | [string, ...string[]];
        amount?: AmountRange1;
        /**
         * a JSON Schema that the entry of dynamicCreditList must fit, with the limits of a rule's `when.body`
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
       * any; a code in payouts.json includes its reason
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
     * one or several adjustments of a payment after it is paid
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
     * for `closeSettlement`: how the shown settlement file and bank statement differ from the books
     */
    mismatches?: {
      /**
       * kinds of mistakes: each changes one suitable line, or the file as a whole
       *
       * @minItems 1
       */
      kinds?: [SettlementMistake, ...SettlementMistake[]];
      /**
       * stay: the file's totals are as booked, so that they reveal the mistakes; follow: they are the sums of the shown lines; default: stay
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
     * for `closeSettlement`: how the report of a settlement reaches its merchant
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
 * How a notification is delivered, or deliberately broken.
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
   * a duration such as 15m or PT15M: how late a delayed notification is, how far reordered ones are spread, how long a slow one stops halfway
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
 * in order; debit and credit are the net without a sign; netMinorUnits is the net in cents without a sign, and direction its sign: CR for the merchant, DR against
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
 * When merchants are settled, and the files that they get.
 */
export interface SettlementFixture {
  $schema?: string;
  /**
   * whether settlements are closed at their cut-off; otherwise only by the control API
   */
  automatic: boolean;
  /**
   * local time at which a business date ends; 24:00 is the end of the day, and 00:00 its beginning, so that everything on a day belongs to the next business date
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
   * local time on the value date at which the transfer arrives
   */
  valueTime: string;
  /**
   * days of the week that are not business days
   *
   * @maxItems 6
   */
  weekend: ('Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday')[];
  /**
   * further days that are not business days
   */
  holidays: string[];
  /**
   * smaller totals are carried over to the next settlement
   */
  minimum: string;
  /**
   * how a balance below 0 at the close is handled: carried over to the next settlement, collected from the merchant's bank account, or added to the month's invoice; default: carry
   */
  negativeBalance?: 'carry' | 'collect' | 'invoice';
  /**
   * the month's invoice for fees
   */
  invoice?: {
    /**
     * its issuer; default: Payment service provider
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
   * the bank account of merchants
   */
  account: {
    bankBICCode: string;
    /**
     * may contain {{merchantId}}
     */
    accountNumber: string;
  };
  file: {
    columns: Columns;
    delimiter: ',' | ';' | '\t' | '|';
    decimalMark: '.' | ',';
    byteOrderMark: boolean;
    /**
     * whether to put an apostrophe before texts that a spreadsheet would take for formulas: those that begin with = + - @, also full-width, a tab or a line break; default: false, which leaves texts unchanged
     */
    escapeFormulas?: boolean;
    /**
     * layout 2 of the CSV file, from an announced day; the mistake `new-layout` uses it without notice
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
   * the reference of a payment: {{code}} is that of its code, {{sequence}} counts the payments of that code from 1; without it, all payments of a code have the same reference
   */
  paymentReference: string;
  /**
   * default content of a code
   */
  content: 'address' | 'emv';
  /**
   * members of EMVCo's payload in addition to those of the code
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
   * expiry date of all cards, as MM/YY
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
     * reason of the failure for the payer; default: the description
     */
    payerReason?: string;
  }[];
}

/**
 * Offsets of timestamps, and lifetimes.
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
   * how long after each failed attempt a notification is sent again; after the last one it is given up
   */
  webhookRetries: string[];
  /**
   * how long the previous secret of an endpoint also signs after it was replaced; PT0S: not at all
   */
  secretOverlap: string;
}

/**
 * The notifications that the webhook tester sends, by webHookType.
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
