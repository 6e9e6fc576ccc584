import type { State } from './state.ts';
import { FORMAT } from './state.ts';

/** How far a record's line is indented; the reader knows it by that. */
export const RECORD_INDENT = '        ';

/**
 * The state file's text, in pieces of about a line: JSON with one record per line, so that it can be read, searched by
 * line and compared, is a quarter smaller than indented JSON, and can be read back without one string as long as the file.
 */
export function* textOf(stored: State, schema: string): Generator<string> {
  yield `{\n  "$schema": ${JSON.stringify(schema)},\n  "format": ${FORMAT},\n  "lastCommit": ${stored.lastCommit},\n  "sessions": {`;
  let separator = '\n';
  for (const { name, state, collections } of stored.sessions) {
    yield `${separator}    ${JSON.stringify(name)}: {\n      "state": ${JSON.stringify(state)}`;
    for (const { name: collection, records } of collections) {
      yield* collectionText(collection, records);
    }
    yield '\n    }';
    separator = ',\n';
  }
  yield stored.sessions.length > 0 ? '\n  }\n}\n' : '}\n}\n';
}

function* collectionText(collection: string, records: readonly unknown[]): Generator<string> {
  let begun = false;
  for (const record of records) {
    if (record) {
      yield `${begun ? ',\n' : `,\n      "${collection}": [\n`}${RECORD_INDENT}${JSON.stringify(record)}`;
      begun = true;
    }
  }
  if (begun) {
    yield '\n      ]';
  }
}
