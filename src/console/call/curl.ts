import { baseAddress } from '../address.ts';
import type { ApiCall } from './credentials.ts';

/** Headers that curl or a browser adds itself. */
const CLIENT_HEADERS =
  /^(host|connection|content-length|accept-encoding|accept-language|user-agent|transfer-encoding|origin|referer|cookie|priority|cache-control|pragma|sec-.*|dnt)$/;

function effectiveHeaders(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      CLIENT_HEADERS.test(name) || (name === 'accept' && value === '*/*') ? [] : [[name, String(value)]],
    ),
  );
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function curlOf({ method, path, headers, body }: ApiCall): string {
  const hasBody = body !== undefined && body !== null && body !== '';
  const methodOption = method === (hasBody ? 'POST' : 'GET') ? '' : `-X ${method} `;
  return [
    `curl ${methodOption}${shellQuote(`${baseAddress}${path}`)}`,
    ...Object.entries(effectiveHeaders(headers)).map(([name, value]) => `  -H ${shellQuote(`${name}: ${value}`)}`),
    // Raw, because curl reads other data that begins with @ as the name of a file.
    ...(hasBody ? [`  --data-raw ${shellQuote(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}`] : []),
  ].join(' \\\n');
}
