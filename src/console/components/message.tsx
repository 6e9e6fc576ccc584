import { plural } from '../../base/text/plural.ts';
import { tryParseJson } from '../../base/text/try-parse-json.ts';

export function parseBody(text: string): unknown {
  const value = tryParseJson(text);
  return value === undefined ? text : value;
}

export function Headers({ headers }: { headers: Readonly<Record<string, unknown>> }) {
  return (
    <details class="headers">
      <summary>{plural(Object.keys(headers).length, 'header')}</summary>
      <dl>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
