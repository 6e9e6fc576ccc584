import type { RecordedBody, RecordedHeaders } from '../../base/schema/recordings.ts';
import { ValueComparison } from './compare-values.ts';
import { NOTHING, type SeenSide, type Sink } from './seen.ts';
import type { SentValues } from './sent-values.ts';

/** An answer or a notification. */
interface Message {
  headers: RecordedHeaders;
  body: RecordedBody;
}

/** Two messages and what was sent for each. */
export interface Messages {
  recorded: Message;
  sandbox: Message;
  sent: { recorded: SentValues; sandbox: SentValues };
  /** Headers that are compared elsewhere. */
  except?: (name: string) => boolean;
}

/** Compares headers, content type and body. */
export function compareMessages(sink: Sink, { recorded, sandbox, sent, except = () => false }: Messages): void {
  compareHeaders(sink, headersIn(recorded.headers), headersIn(sandbox.headers), except);
  const [was, is] = [kindOf(recorded.body), kindOf(sandbox.body)];
  sink.looked('body');
  if (was !== is) {
    sink.saw({ kind: 'body', place: 'body', recorded: { is: was }, sandbox: { is } });
    return;
  }
  new ValueComparison(sink, sent).compare(contentOf(recorded.body), contentOf(sandbox.body));
}

/** By lower-case name, with all values of a header that came more than once. */
function headersIn(headers: RecordedHeaders): Map<string, string> {
  const found = new Map<string, string>();
  for (const { name, value } of headers) {
    const key = name.toLowerCase();
    const before = found.get(key);
    found.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return found;
}

function compareHeaders(
  sink: Sink,
  recorded: ReadonlyMap<string, string>,
  sandbox: ReadonlyMap<string, string>,
  except: (name: string) => boolean,
): void {
  for (const name of new Set([...recorded.keys(), ...sandbox.keys()])) {
    if (except(name)) {
      continue;
    }
    const isType = name === 'content-type';
    const side = (headers: ReadonlyMap<string, string>): SeenSide => {
      const value = headers.get(name);
      return value === undefined ? NOTHING : { is: 'header', value: isType ? mediaTypeOf(value) : value };
    };
    const [was, is] = [side(recorded), side(sandbox)];
    sink.looked(name);
    if (was.value !== is.value) {
      sink.saw({ kind: isType ? 'content-type' : 'header', place: name, recorded: was, sandbox: is });
    }
  }
}

/** However it is written: media type and charset. */
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

/** A form as a JSON object of its parts. Of bytes nothing is kept that could be compared. */
function contentOf(body: RecordedBody): unknown {
  if (body === null || 'bytes' in body) {
    return null;
  }
  if ('form' in body) {
    return Object.fromEntries(body.form.map((part) => [part.name, 'value' in part ? part.value : part.contentType]));
  }
  return 'json' in body ? body.json : body.text;
}
