import type { ServerResponse } from 'node:http';
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import { BUILT_ASSETS, PACKAGE_ROOT } from '../../base/package.ts';

/** The scripts and styles of the page, served below its own path: our own, and Swagger UI's. */
export const DOCS_FOLDERS = [`${PACKAGE_ROOT}assets/docs`, `${BUILT_ASSETS}docs`];

/** What is kept packed, by its name. */
const PACKED: readonly [string, string][] = [
  ['.js.gz', 'text/javascript; charset=utf-8'],
  ['.css.gz', 'text/css; charset=utf-8'],
  ['.html.gz', 'text/html; charset=utf-8'],
];

/** A file that is kept packed says so; every browser unpacks it. */
export function setFileHeaders(response: ServerResponse, path: string): void {
  const type = PACKED.find(([ending]) => path.endsWith(ending))?.[1];
  if (type !== undefined) {
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Encoding', 'gzip');
  }
}

/** Nothing inline, nothing from elsewhere. */
export const DOCS_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The page that shows the OpenAPI document beside it, to read, search and try. */
export function docsPage(title: string): string {
  const page = h(
    'html',
    { lang: 'en' },
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('title', null, title),
      h('link', { rel: 'icon', href: 'data:,' }),
      h('link', { rel: 'stylesheet', href: 'docs/swagger-ui.css.gz' }),
      h('link', { rel: 'stylesheet', href: 'docs/docs.css' }),
    ),
    h(
      'body',
      null,
      h(
        'noscript',
        null,
        'This page needs scripts. What it shows is in ',
        h('a', { href: 'openapi.json' }, 'the OpenAPI document'),
        '.',
      ),
      h('div', { id: 'reference' }),
      h('script', { src: 'docs/swagger-ui-bundle.js.gz' }),
      h('script', { src: 'docs/docs.js', type: 'module' }),
    ),
  );
  return `<!doctype html>${render(page)}`;
}
