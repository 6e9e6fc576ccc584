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
 * where a recording shows it first
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
   * of the program that compared
   */
  version: string;
  recording: ComparedRecording;
  against: ComparedSandbox;
  compared: ComparedCounts;
  differences: Difference[];
  /**
   * every rule that was in force, with how many differences it took away
   */
  noise: NoiseCount[];
  /**
   * what could not be compared, by reason
   */
  notCompared: NotCompared[];
  /**
   * what else to know, such as the scenario that was used without being asked for
   */
  notices: string[];
}

export interface ComparedRecording {
  folder: string;
  upstreams: string[];
  /**
   * when its first exchange began; null where it has none
   */
  from: string | null;
  /**
   * when its last exchange began
   */
  to: string | null;
}

export interface ComparedSandbox {
  /**
   * the folder; null for the shipped ones alone
   */
  fixtures: string | null;
  scenario: string;
  behaviour: string;
}

export interface ComparedCounts {
  /**
   * calls with an answer on both sides
   */
  exchanges: number;
  /**
   * members of their answers and of notifications
   */
  members: number;
  /**
   * notifications that both sides sent, each with all its attempts
   */
  notifications: number;
  /**
   * payments and payouts that both sides accepted
   */
  payments: number;
}

export interface Difference {
  id: string;
  kind: DifferenceKind;
  part: DifferencePart;
  /**
   * null for a notification, and for a difference seen in several
   */
  operation: string | null;
  /**
   * its id; null for a difference that has no channel, or was seen on several
   */
  channel: string | null;
  environment: 'production' | 'sandbox' | null;
  /**
   * of an answer its recorded class, such as 2xx; of a notification the recorded status word; null where it is so in several
   */
  status: string | null;
  /**
   * of a member its JSON path, with [] for any item of a list; of a header its name; otherwise a word
   */
  place: string;
  recorded: DriftSide;
  sandbox: DriftSide;
  /**
   * how often it was seen
   */
  count: number;
  /**
   * how often it could have been
   */
  compared: number;
  source: DriftSource;
  /**
   * the files of fixtures in which the sandbox can be changed; empty where none can
   */
  fixtures: string[];
}

export interface DriftSide {
  /**
   * the type, or the format, such as `instant with offset and milliseconds`; null where there is nothing
   */
  is: string | null;
  /**
   * up to three values, as JSON: of a member what it held, of `delay` the milliseconds, or both ends of the interval where only status queries saw it, of `spacing` the milliseconds between attempts, of `sequence` the states in order
   *
   * @maxItems 3
   */
  values: unknown[];
  /**
   * whether there were others
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
 * Which differences do not count. A rule with the name of a shipped one takes its place.
 */
export interface NoiseRules {
  $schema?: string;
  /**
   * names of shipped rules that are not to be in force
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
   * one sentence, which the report shows
   */
  why: string;
  /**
   * `value`: another value in the same format; `format`: another format, too; `everything`: also whether it is there. Another type is never ignored
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
   * formats by name, where both sides have the same; of `ignores: format`, where either has one of them
   *
   * @minItems 1
   */
  formats?: [string, ...string[]];
}

/**
 * within what delays, and times between attempts, are the same: the larger of both counts
 */
export interface NoiseTolerance {
  /**
   * how far from what was recorded, as a part of that
   */
  share: number;
  /**
   * a difference of up to so few milliseconds is ignored
   */
  atLeastMs: number;
}

/**
 * One line of a recording: what it is first, then calls and notifications as they ended, and when the recorder ended last.
 */
export type RecordingLine = RecordingHead | RecordedCall | RecordedNotification | RecordingEnd;

/**
 * as they came
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

/**
 * When the recorder stopped; missing if it was killed.
 */
export interface RecordingEnd {
  kind: 'end';
  at: string;
}
