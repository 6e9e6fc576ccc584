import type { RecordedBody, RecordedCall, RecordedHeaders } from '../../base/schema/generated/recordings.ts';
import { compareValues } from './compare-values.ts';
import { type Both, type DriftSink, mapBoth, NOTHING, type SideValue } from './single-difference.ts';

type Answer = NonNullable<RecordedCall['answer']>;

const ANSWER = 'answer';
const BODY = 'body';

/** Compares answers. Headers and bodies are only compared if both statuses are in the same class, such as 2xx. */
export function compareAnswers(sink: DriftSink, { recorded, sandbox }: Both<Answer>, isBodyComparable: boolean): void {
  sink.countCompared('status');
  if (recorded.status !== sandbox.status) {
    const sides = mapBoth({ recorded, sandbox }, ({ status }) => ({ is: 'status', value: status }));
    sink.report({ kind: 'status', place: 'status', ...sides });
  }
  if (Math.floor(recorded.status / 100) === Math.floor(sandbox.status / 100)) {
    compareHeaders(sink, recorded.headers, sandbox.headers);
    if (isBodyComparable) {
      compareBodies(sink, recorded.body, sandbox.body);
    }
  }
}

export function reportMissingAnswer(sink: DriftSink, calls: Both<RecordedCall>): void {
  const sides = mapBoth(calls, ({ answer }) => (answer ? { is: 'status', value: answer.status } : NOTHING));
  sink.countCompared(ANSWER);
  sink.report({ kind: 'no-answer', place: ANSWER, ...sides });
}

export function compareBodies(sink: DriftSink, recorded: RecordedBody, sandbox: RecordedBody): void {
  const kinds = mapBoth({ recorded, sandbox }, kindOf);
  sink.countCompared(BODY);
  if (kinds.recorded === kinds.sandbox) {
    compareValues(sink, contentOf(recorded), contentOf(sandbox));
  } else {
    sink.report({ kind: 'body', place: BODY, ...mapBoth(kinds, (kind) => ({ is: kind })) });
  }
}

/** `isIgnored`: whether a header is compared elsewhere. */
export function compareHeaders(
  sink: DriftSink,
  recorded: RecordedHeaders,
  sandbox: RecordedHeaders,
  isIgnored: (name: string) => boolean = () => false,
): void {
  const headers = mapBoth({ recorded, sandbox }, headersIn);
  for (const name of new Set(
    [...headers.recorded.keys(), ...headers.sandbox.keys()].filter((each) => !isIgnored(each)),
  )) {
    const isContentType = name === 'content-type';
    const sides = mapBoth(headers, (values): SideValue => {
      const value = values.get(name);
      return value === undefined ? NOTHING : { is: 'header', value: isContentType ? mediaTypeOf(value) : value };
    });
    sink.countCompared(name);
    if (sides.recorded.value !== sides.sandbox.value) {
      sink.report({ kind: isContentType ? 'content-type' : 'header', place: name, ...sides });
    }
  }
}

function headersIn(headers: RecordedHeaders): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    const previous = values.get(key);
    values.set(key, previous === undefined ? value : `${previous}, ${value}`);
  }
  return values;
}

/** The media type and charset, without differences in notation. */
function mediaTypeOf(value: string): string {
  const [type = '', ...parameters] = value.toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim().replaceAll('"', '')).find((each) => each.startsWith('charset='));
  return charset === undefined ? type.trim() : `${type.trim()}; ${charset}`;
}

function kindOf(body: RecordedBody): string {
  if (body === null || ('text' in body && body.text === '')) {
    return 'empty';
  }
  return 'json' in body ? 'JSON' : 'text' in body ? 'text' : 'form' in body ? 'form' : 'bytes';
}

/** A form becomes a JSON object. A body of which only the size was recorded has no content. */
function contentOf(body: RecordedBody): unknown {
  if (body === null || 'bytes' in body) {
    return null;
  }
  if ('form' in body) {
    return Object.fromEntries(body.form.map((part) => [part.name, 'value' in part ? part.value : part.contentType]));
  }
  return 'json' in body ? body.json : body.text;
}
