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
      format: 2;
      /**
       * how many the file has, this one included
       */
      lines: number;
      /**
       * of the sandbox that wrote it
       */
      version: string;
      node: string;
      store: 'memory' | 'file' | 'postgres';
      session: string;
      /**
       * the base address of the session
       */
      base: string;
      settings: {
        host: string;
        allowWebhookHost: string[];
        validation: 'strict' | 'lenient';
        /**
         * absent where that of the validation is used
         */
        contentType?: 'interface' | 'negotiated';
        merchants: 'open' | 'closed';
        webhookUrl: string | null;
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
      /**
       * the first step that was different when it was played at once; null where none was
       */
      difference: string | null;
    }
  | {
      kind: 'fixture';
      file: string;
      content: string;
    }
  | {
      kind: 'start';
      /**
       * what the session kept at the begin, as GET /_sandbox/state has it
       */
      state: {
        [k: string]: unknown;
      };
    }
  | {
      kind: 'call';
      id: string;
      at: number;
      /**
       * what the machine's clock said
       */
      machineAt: number;
      clock: 'real' | 'frozen';
      origin: 'merchant' | 'control' | 'page';
      method: string;
      /**
       * the path with its query
       */
      target: string;
      /**
       * name, value, name, value, …
       */
      headers: string[];
      /**
       * the body, where it is UTF-8
       */
      text?: string;
      /**
       * the body, where it is not
       */
      base64?: string;
    }
  | {
      kind: 'turn';
      /**
       * the id of the call, or the kind and record of the job
       */
      of: string;
      at: number;
      /**
       * the number of the session's last event after it
       */
      lastEvent: number;
    }
  | {
      kind: 'answer';
      /**
       * the id of the call, or the kind and record of the job
       */
      of: string;
      at: number;
      /**
       * the number of the session's last event after it
       */
      lastEvent: number;
      /**
       * null where none left
       */
      answer: null | {
        status: number;
        headers: {
          [k: string]: string;
        };
        text: string;
      };
    }
  | {
      kind: 'sending';
      /**
       * the id of the call, or the kind and record of the job
       */
      of: string;
      at: number;
    }
  | {
      kind: 'sent';
      /**
       * the id of the call, or the kind and record of the job
       */
      of: string;
      at: number;
      message: {
        url: string;
        method: string;
        headers: {
          [k: string]: string;
        };
        body: string;
      };
      /**
       * what the receiver answered
       */
      outcome: {
        headers: {
          [k: string]: string;
        };
        status: number | null;
        ms: number;
        error: string | null;
        response: string | null;
      };
    };
