// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * One line of a bundle: the manifest first, then fixtures, the start, and what happened, in its order.
 */
export type BundleLine =
  | {
      kind: 'manifest';
      /**
       * which edition of this file's format
       */
      format: 3;
      /**
       * how many the file has, this one included
       */
      lines: number;
      /**
       * of the sandbox that wrote it
       */
      version: string;
      session: string;
      settings: {
        validation: 'strict' | 'lenient';
        /**
         * absent where that of the validation is used
         */
        contentType?: 'interface' | 'negotiated';
        merchants: 'open' | 'closed';
        walletNames: null | {
          [k: string]: string[];
        };
      };
      /**
       * how many calls there were before
       */
      lastCalls: {
        merchant: number;
        control: number;
        page: number;
      };
      /**
       * why it does not begin with the session; null where it does
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
       * what the session kept when its history began, as GET /_sandbox/state has it, secrets masked
       */
      state: {
        [k: string]: unknown;
      };
    }
  | {
      kind: 'commit';
      /**
       * the id of the call, or the kind and record of the job; null where neither is known to have made it
       */
      cause: string | null;
      at: number;
      /**
       * the session's own facts after it: records/session-state
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
       * null where it was still under way
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
   * null where it was removed
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
   * absent where there was none
   */
  body?: {
    [k: string]: unknown;
  };
  /**
   * null where none left
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
 * what else the request log shows of a call of the merchant API
 */
export interface LoggedFacts {
  /**
   * name and value of all parts of a form that repeats a name, of which the body has the last
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
