import type { ServerResponse } from 'node:http';
import { render } from 'preact-render-to-string';
import { HTML_TYPE, sendContent } from '../http/answers.ts';
import { readEntryFiles } from './assets.ts';

/** No inline scripts or styles, and nothing from other servers. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** An attribute that Preact's types lack. */
const BLOCKS_RENDERING = { blocking: 'render' };

/** Sends the page of the console. `path` begins with /_sandbox. */
export function sendShell(path: string, response: ServerResponse): void {
  sendContent(response, HTML_TYPE, documentAt(path), { headers: HEADERS });
}

function documentAt(path: string): string {
  const { script, worker, style, icon } = readEntryFiles();
  // Relative, because sessions and proxies serve the page below different paths.
  const assets = `${'../'.repeat(path.split('/').length - 4)}assets`;
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>merchant-sandbox</title>
        <link rel="icon" type="image/svg+xml" href={`${assets}/${icon}`} />
        <link rel="stylesheet" href={`${assets}/${style}`} />
        <script type="module" src={`${assets}/${script}`} {...BLOCKS_RENDERING} />
      </head>
      <body>
        <noscript>The console needs scripts. Its data is in the control API, which /_sandbox/docs describes.</noscript>
        <div id="console" data-worker={`${assets}/${worker}`} />
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}
