// Generated from schemas/ by `npm run generate`. Do not edit.

/**
 * `missing-member`: the recording has it and the sandbox does not; `new-member`: the other way round
 */
export type DifferenceKind =
  | 'status'
  | 'content-type'
  | 'header'
  | 'body'
  | 'missing-member'
  | 'new-member'
  | 'type'
  | 'null-or-empty'
  | 'format'
  | 'word'
  | 'order'
  | 'no-answer'
  | 'sequence'
  | 'delay'
  | 'signature'
  | 'method'
  | 'attempts'
  | 'spacing'
  | 'notification';

export type DifferencePart = 'answer' | 'notification' | 'payment';

/**
 * where it first occurs in a recording
 */
export type DriftSource = {
  file: string;
  line: number;
  at: string;
} | null;

/**
 * How a recorded service and a sandbox differ.
 */
export interface DriftReport {
  verdict: 'same' | 'different' | 'nothing-compared';
  /**
   * version of the program that compared
   */
  version: string;
  recording: ComparedRecording;
  against: ComparedSandbox;
  compared: ComparedCounts;
  differences: Difference[];
  /**
   * all active rules, each with the number of differences that it ignored
   */
  noise: NoiseCount[];
  /**
   * what could not be compared, by reason
   */
  notCompared: NotCompared[];
  /**
   * notes about the comparison, such as incomplete recordings
   */
  notices: string[];
}

export interface ComparedRecording {
  folder: string;
  upstreams: string[];
  /**
   * when its first exchange began; null if it has none
   */
  from: string | null;
  /**
   * when its last exchange began
   */
  to: string | null;
}

export interface ComparedSandbox {
  /**
   * the folder; null for only the shipped ones
   */
  fixtures: string | null;
  scenario: string;
  behaviour: string;
}

export interface ComparedCounts {
  /**
   * number of calls with an answer on both sides
   */
  exchanges: number;
  /**
   * number of members of their answers and of notifications
   */
  members: number;
  /**
   * number of notifications that both sides sent, each with all its attempts
   */
  notifications: number;
  /**
   * number of payments and payouts that both sides accepted
   */
  payments: number;
}

export interface Difference {
  id: string;
  kind: DifferenceKind;
  part: DifferencePart;
  /**
   * null for a notification, and for a difference in several operations
   */
  operation: string | null;
  /**
   * its id; null for a difference without a channel, or on several channels
   */
  channel: string | null;
  environment: 'production' | 'sandbox' | null;
  /**
   * for an answer its recorded class, such as 2xx; for a notification the recorded status word; null for several
   */
  status: string | null;
  /**
   * for a member its JSON path, with [] for any item of a list; for a header its name; otherwise a word
   */
  place: string;
  recorded: DriftSide;
  sandbox: DriftSide;
  /**
   * how often it occurred
   */
  count: number;
  /**
   * how often it could have occurred
   */
  compared: number;
  source: DriftSource;
  /**
   * the fixture files that can change the sandbox's side; empty if none can
   */
  fixtures: string[];
}

export interface DriftSide {
  /**
   * the type, or the format, such as `instant with offset +02:00 and milliseconds`; null if there is no value
   */
  is: string | null;
  /**
   * up to three values, as JSON: for a member its values, for `delay` the milliseconds, or both ends of the interval if only status queries returned the state, for `spacing` the milliseconds between attempts, for `sequence` the states in order
   *
   * @maxItems 3
   */
  values: unknown[];
  /**
   * whether there were further values
   */
  more: boolean;
}

export interface NoiseCount {
  name: string;
  why: string;
  count: number;
}

export interface NotCompared {
  reason: string;
  count: number;
  source: DriftSource;
}

/**
 * Which differences do not count. A rule with the name of a shipped one replaces it.
 */
export interface NoiseRules {
  $schema?: string;
  /**
   * names of shipped rules to disable
   */
  off?: string[];
  rules?: NoiseRule[];
  tolerance?: NoiseTolerance;
}

/**
 * a rule that says what it applies to: operations, members, headers or formats
 */
export interface NoiseRule {
  name: string;
  /**
   * one sentence for the report
   */
  why: string;
  /**
   * `value`: different values in the same format; `format`: also different formats; `everything`: also a missing one. A different type is never ignored
   */
  ignores: 'value' | 'format' | 'everything';
  /**
   * operations by name, or `notification`; default: all
   *
   * @minItems 1
   */
  operations?: [string, ...string[]];
  /**
   * names of members, or JSON paths with [] for any item of a list; * matches any characters
   *
   * @minItems 1
   */
  members?: [string, ...string[]];
  /**
   * names of headers; * matches any characters
   *
   * @minItems 1
   */
  headers?: [string, ...string[]];
  /**
   * names of formats that both sides must have; with `ignores: format` or `everything`, at least one side; * matches any characters
   *
   * @minItems 1
   */
  formats?: [string, ...string[]];
}

/**
 * the allowed difference of delays and of times between attempts: the larger of the two values
 */
export interface NoiseTolerance {
  /**
   * share of the recorded time
   */
  share: number;
  /**
   * milliseconds
   */
  atLeastMs: number;
}

/**
 * One line of a recording: the head first, then calls and notifications in the order in which they ended, and at last the end of the recorder.
 */
export type RecordingLine = RecordingHead | RecordedCall | RecordedNotification | RecordingEnd;

/**
 * in the received order
 */
export type RecordedHeaders = RecordedHeader[];

/**
 * null for an empty body
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
       * number of bytes received, where the body is not text or is too long to store
       */
      bytes: number;
    };

/**
 * A part of a multipart form: a text, or a file, of which only the first bytes are stored.
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
       * the first 32 bytes, in base64, which show the type of the file
       */
      head: string;
    };

/**
 * null if there was none
 */
export type RecordedAnswer = {
  status: number;
  headers: RecordedHeaders;
  body: RecordedBody;
} | null;

export interface RecordingHead {
  kind: 'recording';
  /**
   * version of the file format
   */
  format: 1;
  /**
   * version of the program that wrote it
   */
  version: string;
  /**
   * the base address of the recorded service
   */
  upstream: string;
  startedAt: string;
  /**
   * the members that were masked in addition to those of the request log
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
   * milliseconds until the end of the answer
   */
  ms: number;
  answer: RecordedAnswer;
  /**
   * why there is no answer, or only a part of it
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
   * milliseconds until the end of the answer
   */
  ms: number;
  answer: RecordedAnswer;
  /**
   * why there is no answer, or only a part of it
   */
  error: string | null;
}

/**
 * When the recorder stopped; missing if it was killed.
 */
export interface RecordingEnd {
  kind: 'end';
  at: string;
}
