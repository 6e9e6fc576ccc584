import { render } from 'preact-render-to-string';
import type { PayerPage } from '../domain/pages/payer-page.tsx';
import { Mark } from '../domain/pages/picture.tsx';
import { WORDS } from '../domain/pages/words.ts';
import { STYLES } from './page-files.ts';
import { formTargets } from './page-headers.ts';

/** The HTML of a page. The renderer escapes all content. `path`: the path of the page, which begins with /pay. */
export function renderPage(
  { title, look = 'card', content, links = [], live, refresh }: PayerPage,
  path: string,
): string {
  // Relative, because a page about an unknown session has no base address.
  const assets = `${'../'.repeat(Math.max(0, path.split('/').length - 3))}assets`;
  const page = (
    <html lang={WORDS.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh === undefined ? null : (
          <noscript>
            <meta httpEquiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        <title>{`${title} – sandbox`}</title>
        {STYLES.map((name) => (
          <link rel="stylesheet" href={`${assets}/${name}`} />
        ))}
        <link rel="icon" href={`${assets}/icon.svg`} />
        <script src={`${assets}/payer.js`} defer />
      </head>
      <body>
        <header class="sandbox" data-testid="sandbox-note">
          <Mark />
          <span>{WORDS.sandboxNote}</span>
        </header>
        <main
          class={`look-${look}`}
          data-versions={live?.address}
          data-version={live?.version}
          data-form-targets={formTargets(links).join(' ')}
        >
          {content}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}
