import { h } from 'preact';
import { render } from 'preact-render-to-string';

interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  'x-provenance': string;
}
interface Document {
  info: { title: string; version: string; summary: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
}

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #8885; vertical-align: top; }
  code { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
`;

/** The OpenAPI document as a page that needs nothing from anywhere else. */
export function docsPage(document: Record<string, unknown>): string {
  const { info, servers, tags, paths } = document as unknown as Document;
  const page = h(
    'html',
    { lang: 'en' },
    h('head', null, h('meta', { charSet: 'utf-8' }), h('title', null, info.title), h('style', null, STYLE)),
    h(
      'body',
      null,
      h('h1', null, `${info.title} ${info.version}`),
      h('p', null, `${info.summary} Base address: `, h('code', null, servers[0]?.url)),
      h('p', null, 'The schemas are in ', h('a', { href: 'openapi.json' }, 'the OpenAPI document'), '.'),
      tags.map(({ name, description }) =>
        h('section', null, h('h2', null, name), h('p', null, description), tableOf(paths, name)),
      ),
    ),
  );
  return `<!doctype html>${render(page)}`;
}

function tableOf(paths: Document['paths'], tag: string) {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, { summary, 'x-provenance': source }]) =>
        h(
          'tr',
          null,
          h('td', null, h('code', null, `${method.toUpperCase()} ${path}`)),
          h('td', null, summary),
          h('td', null, source),
        ),
      ),
  );
  const head = ['Call', 'What it does', 'Source'].map((title) => h('th', { scope: 'col' }, title));
  return h('table', null, h('thead', null, h('tr', null, head)), h('tbody', null, rows));
}
