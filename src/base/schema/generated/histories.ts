// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * One line of a bundle: the manifest first, then fixtures, the initial state, and the events in order.
 */
export type BundleLine =
  | {
      kind: 'manifest';
      /**
       * version of the file format
       */
      format: 3;
      /**
       * number of lines in the file, including this one
       */
      lines: number;
      /**
       * version of the sandbox that wrote it
       */
      version: string;
      session: string;
      settings: {
        validation: 'strict' | 'lenient';
        /**
         * absent if that of the validation is used
         */
        contentType?: 'interface' | 'negotiated';
        merchants: 'open' | 'closed';
        walletNames: null | {
          [k: string]: string[];
        };
      };
      /**
       * number of earlier calls
       */
      lastCalls: {
        merchant: number;
        control: number;
        page: number;
      };
      /**
       * why it does not begin with the session; null if it does
       */
      cutBecause: string | null;
    }
  | {
      kind: 'fixture';
      file: string;
      content: string;
    }
  | {
      kind: 'start';
      at: number;
      /**
       * the state of the session when its history began, as getState returns it, with secrets masked
       */
      state: {
        [k: string]: unknown;
      };
    }
  | {
      kind: 'commit';
      /**
       * the id of the call, or the kind and record of the job, that caused it; null if unknown
       */
      cause: string | null;
      at: number;
      /**
       * the session's own state after it: records/session-state
       */
      state: {
        [k: string]: unknown;
      };
      changes: BundledChange[];
      events: BundledEvent[];
    }
  | {
      kind: 'call';
      id: string;
      origin: 'merchant' | 'control' | 'page';
      at: number;
      /**
       * null if it had not ended
       */
      call: null | BundledCall;
    }
  | {
      kind: 'answer';
      of: string;
      at: number;
    };

export interface BundledChange {
  collection: string;
  id: string;
  /**
   * null if it was removed
   */
  record: {
    [k: string]: unknown;
  } | null;
}

export interface BundledEvent {
  id: number;
  at: number;
  type: string;
  collection: string | null;
  subjectId: string | null;
  requestId: string | null;
  data: {
    [k: string]: unknown;
  };
}

export interface BundledCall {
  method: string;
  path: string;
  /**
   * the query, with its question mark
   */
  search: string;
  headers: {
    [k: string]: string;
  };
  /**
   * absent without a body
   */
  body?: {
    [k: string]: unknown;
  };
  /**
   * null if none was sent
   */
  answer: null | {
    status: number;
    headers: {
      [k: string]: string;
    };
    body: string;
  };
  logged?: LoggedFacts;
}

/**
 * further data of a call of the merchant API in the request log
 */
export interface LoggedFacts {
  /**
   * name and value of all parts of a form that repeats a name; the body contains only the last of these
   */
  parts?: never[][];
  milliseconds: number;
  query: {
    [k: string]: string;
  };
  operation: string | null;
  environment: 'production' | 'sandbox' | null;
  channel: string | null;
  merchantId: string | null;
  reference: string | null;
  findings: BundledFinding[];
  scenario: string | null;
  outcome: string | null;
  reason: string | null;
  fault: string | null;
  nearest: string | null;
  lastEvent: number;
  events: BundledEvent1[];
  records: {
    collection: string;
    id: string;
  }[];
}

export interface BundledFinding {
  path: string;
  expected: string;
  received: string;
  severity: 'error' | 'warning';
  id?: string;
}

export interface BundledEvent1 {
  id: number;
  at: number;
  type: string;
  collection: string | null;
  subjectId: string | null;
  requestId: string | null;
  data: {
    [k: string]: unknown;
  };
}
