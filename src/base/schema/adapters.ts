// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * left out, GET for orderState and POST for the others
 */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How to be a customer of a shop by HTTP alone.
 */
export interface HttpAdapter {
  $schema?: string;
  /**
   * for people; not read
   */
  notes?: string[];
  /**
   * the shop's address
   */
  app?: string;
  /**
   * where the shop takes notifications, relative to app or a whole address; left out, it gets none
   */
  webhookUrl?: string;
  /**
   * the request by which a customer places an order
   */
  placeOrder: {
    method?: HttpMethod;
    /**
     * relative to app, or a whole address; what stands in braces is put in as a part of an address
     */
    url: string;
    headers?: HttpHeaders;
    /**
     * sent as JSON; texts may have braces in them
     */
    body?:
      | {
          [k: string]: unknown;
        }
      | unknown[];
    /**
     * where the answer has it
     */
    answer: {
      /**
       * a path of the answer's member that names the order
       */
      orderId: string;
    };
  };
  /**
   * the request that asks what became of an order
   */
  orderState: {
    method?: HttpMethod;
    /**
     * relative to app, or a whole address; what stands in braces is put in as a part of an address
     */
    url: string;
    headers?: HttpHeaders;
    /**
     * sent as JSON; texts may have braces in them
     */
    body?:
      | {
          [k: string]: unknown;
        }
      | unknown[];
    /**
     * where the answer has it
     */
    answer: {
      /**
       * a path of the answer's member with the shop's own word
       */
      state: string;
      /**
       * a path of the answer's member that says how often goods left: a number, or a list of as many entries
       */
      fulfilments: string;
      /**
       * a path of the answer's member that says what the shop takes for paid: a number or a decimal text
       */
      paidAmount: string;
      /**
       * minor: paidAmount is in cents; left out, major
       */
      paidAmountUnit?: 'major' | 'minor';
    };
  };
  reconcile?: HttpRequest;
  reset?: HttpRequest;
  refund?: HttpRequest;
  cancel?: HttpRequest;
  restart?: HttpRequest;
}

/**
 * values may have braces in them
 */
export interface HttpHeaders {
  [k: string]: string;
}

/**
 * one request
 */
export interface HttpRequest {
  method?: HttpMethod;
  /**
   * relative to app, or a whole address; what stands in braces is put in as a part of an address
   */
  url: string;
  headers?: HttpHeaders;
  /**
   * sent as JSON; texts may have braces in them
   */
  body?:
    | {
        [k: string]: unknown;
      }
    | unknown[];
}

/**
 * A program that is a customer of a shop, asked and answering by JSON lines.
 */
export interface ProgramAdapter {
  $schema?: string;
  /**
   * for people; not read
   */
  notes?: string[];
  /**
   * the command, as a shell reads it in the folder of this file
   */
  program: string;
  /**
   * the shop's address
   */
  app?: string;
  /**
   * where the shop takes notifications, relative to app or a whole address; left out, it gets none
   */
  webhookUrl?: string;
  /**
   * what the program can do beside placeOrder and orderState
   */
  calls?: ('reconcile' | 'reset' | 'refund' | 'cancel' | 'restart')[];
}
