// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * How far a clock moves on.
 */
export interface ClockAdvance {
  /**
   * an ISO 8601 duration
   */
  by: string;
}

/**
 * How a session's clock goes.
 */
export interface ClockSetting {
  mode: 'real' | 'frozen';
  /**
   * where a frozen clock stands; left out, where it is now
   */
  now?: string;
}

/**
 * What must be found in the request log.
 */
export interface RequestExpectation {
  match: {
    method?: string;
    path?: string;
    operation?:
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
    merchantId?: string;
    environment?: 'production' | 'sandbox';
    scenario?: string;
    status?: number;
    /**
     * a partial body: its members must be there with these values
     */
    body?: {
      [k: string]: unknown;
    };
  };
  /**
   * how many there must be, exactly; left out, at least one
   */
  count?: number;
}

/**
 * Which scenario a session follows.
 */
export interface ScenarioChoice {
  name: string;
}

/**
 * A session with facts of its own.
 */
export interface SessionStart {
  /**
   * letters, digits, dots, dashes, underscores
   */
  name: string;
  seed?: string;
  scenario?: string;
  /**
   * freezes the clock there
   */
  now?: string;
}

/**
 * What becomes of a payment or payout.
 */
export interface Settlement {
  outcome: 'Paid' | 'Failed' | 'Cancelled' | 'Expired';
  code?: string;
  description?: string;
}

/**
 * A state as GET state gave it.
 */
export interface FetchedState {
  state: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
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
     * an http or https address
     */
    url: string;
    /**
     * whsec_ and at least 24 bytes in base64; left out, one is made
     */
    secret?: string;
    /**
     * only this merchant's; left out, every merchant's
     */
    merchantId?: string;
    /**
     * event types such as payment.paid; left out, all
     */
    types?: string[];
  }[];
}
