// Generated from schemas/ by `npm run generate`. Do not edit.
/**
 * One line of a recording: what it is first, then calls and notifications as they ended.
 */
export type RecordingLine = RecordingHead | RecordedCall | RecordedNotification;

/**
 * as they came
 */
export type RecordedHeaders = RecordedHeader[];

/**
 * null where there is none
 */
export type RecordedBody =
  | null
  | {
      /**
       * any JSON text, whatever its content type
       */
      json:
        | {
            [k: string]: unknown;
          }
        | unknown[]
        | string
        | number
        | boolean
        | null;
    }
  | {
      /**
       * any other text
       */
      text: string;
    }
  | {
      form: RecordedPart[];
    }
  | {
      /**
       * how many came of what is no text, or is too long to keep
       */
      bytes: number;
    };

/**
 * A part of a multipart form: a text, or a file, of which the first bytes alone are kept.
 */
export type RecordedPart =
  | {
      name: string;
      value: string;
    }
  | {
      name: string;
      fileName: string;
      contentType: string;
      size: number;
      /**
       * the first 32 bytes, in base64, which say what kind of file it is
       */
      head: string;
    };

/**
 * null where none came
 */
export type RecordedAnswer = {
  status: number;
  headers: RecordedHeaders;
  body: RecordedBody;
} | null;

export interface RecordingHead {
  kind: 'recording';
  /**
   * which edition of this file's format
   */
  format: 1;
  /**
   * of the program that wrote it
   */
  version: string;
  /**
   * the base address of the service that was recorded, or where the file came from
   */
  upstream: string;
  startedAt: string;
  /**
   * the members that were masked beside those of the request log
   */
  masked: string[];
}

/**
 * A call of the merchant's program, and what the service answered.
 */
export interface RecordedCall {
  kind: 'call';
  id: string;
  /**
   * when it arrived, to the millisecond
   */
  at: string;
  method: string;
  /**
   * the path below the base address, with its query
   */
  target: string;
  headers: RecordedHeaders;
  body: RecordedBody;
  /**
   * until the answer's end
   */
  ms: number;
  answer: RecordedAnswer;
  /**
   * why there is no answer, or not all of it
   */
  error: string | null;
}

export interface RecordedHeader {
  name: string;
  value: string;
}

/**
 * A notification of the service, and what the merchant's program answered.
 */
export interface RecordedNotification {
  kind: 'notification';
  id: string;
  /**
   * when it arrived, to the millisecond
   */
  at: string;
  method: string;
  /**
   * the path at the receiver, with its query
   */
  target: string;
  headers: RecordedHeaders;
  body: RecordedBody;
  /**
   * until the answer's end
   */
  ms: number;
  answer: RecordedAnswer;
  /**
   * why there is no answer, or not all of it
   */
  error: string | null;
}
