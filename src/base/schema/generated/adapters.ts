// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * default: GET for orderState and returnFromPayment, POST for the others
 */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How to place orders in a shop by HTTP requests only.
 */
export interface HttpAdapter {
  $schema?: string;
  /**
   * comments, ignored
   */
  notes?: string[];
  /**
   * address of the shop
   */
  app?: string;
  /**
   * webhook URL of the shop, full or relative to app; without it, the shop gets no notifications
   */
  webhookUrl?: string;
  /**
   * real time that the shop needs to correct an order by itself, such as 30s
   */
  patience?: string;
  /**
   * whether an order is open again, for another try, after its payment failed, was cancelled or expired
   */
  reopens?: boolean;
  /**
   * request that places an order
   */
  placeOrder: {
    method?: HttpMethod;
    /**
     * full URL, or relative to app; values of placeholders are percent-encoded
     */
    url: string;
    headers?: HttpHeaders;
    /**
     * sent as JSON; strings can have placeholders
     */
    body?:
      | {
          [k: string]: unknown;
        }
      | unknown[];
    /**
     * path of each value in the answer
     */
    answer: {
      /**
       * path of the id of the order
       */
      orderId: string;
    };
  };
  /**
   * request that returns the state of an order
   */
  orderState: {
    method?: HttpMethod;
    /**
     * full URL, or relative to app; values of placeholders are percent-encoded
     */
    url: string;
    headers?: HttpHeaders;
    /**
     * sent as JSON; strings can have placeholders
     */
    body?:
      | {
          [k: string]: unknown;
        }
      | unknown[];
    /**
     * path of each value in the answer
     */
    answer: {
      /**
       * path of the state, in the shop's own words
       */
      state: string;
      /**
       * path of how often the order was fulfilled: a number, or an array whose items are counted
       */
      fulfilments: string;
      /**
       * path of the amount that the shop considers paid: a number or a decimal string
       */
      paidAmount: string;
      /**
       * minor: paidAmount is in minor units such as cents (default: major)
       */
      paidAmountUnit?: 'major' | 'minor';
    };
  };
  reconcile?: HttpRequest;
  reset?: HttpRequest;
  refund?: HttpRequest;
  cancel?: HttpRequest;
  backdate?: HttpRequest;
  returnFromPayment?: HttpRequest;
  payAgain?: HttpRequest;
  payOut?: HttpRequest;
  subscribe?: HttpRequest;
  /**
   * request that restarts the shop, or true if --command starts it again
   */
  restart?: HttpRequest | true;
}

/**
 * values can have placeholders
 */
export interface HttpHeaders {
  [k: string]: string;
}

/**
 * a request
 */
export interface HttpRequest {
  method?: HttpMethod;
  /**
   * full URL, or relative to app; values of placeholders are percent-encoded
   */
  url: string;
  headers?: HttpHeaders;
  /**
   * sent as JSON; strings can have placeholders
   */
  body?:
    | {
        [k: string]: unknown;
      }
    | unknown[];
}

/**
 * A program that places orders in a shop and communicates in lines of JSON.
 */
export interface ProgramAdapter {
  $schema?: string;
  /**
   * comments, ignored
   */
  notes?: string[];
  /**
   * shell command, run in the folder of this file
   */
  program: string;
  /**
   * address of the shop
   */
  app?: string;
  /**
   * webhook URL of the shop, full or relative to app; without it, the shop gets no notifications
   */
  webhookUrl?: string;
  /**
   * real time that the shop needs to correct an order by itself, such as 30s
   */
  patience?: string;
  /**
   * whether an order is open again, for another try, after its payment failed, was cancelled or expired
   */
  reopens?: boolean;
  /**
   * optional calls that the program supports
   */
  calls?: (
    | 'reconcile'
    | 'reset'
    | 'refund'
    | 'cancel'
    | 'backdate'
    | 'returnFromPayment'
    | 'payAgain'
    | 'payOut'
    | 'subscribe'
    | 'restart'
  )[];
  /**
   * the shop is restarted by --command, without a call
   */
  restart?: true;
}
