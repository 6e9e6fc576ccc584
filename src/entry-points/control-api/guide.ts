import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import accepts from 'accepts';
import { BUILT_ASSETS } from '../../base/package.ts';
import { HTML, redirect, sendContent, TEXT } from '../../http/answers.ts';
import type { Middleware } from '../../http/entry-point.ts';
import { DOCS_HEADERS } from '../../http/openapi/docs-page.ts';

const unpack = promisify(gunzip);

/** What a page's name ends with, or nothing, and what it then is. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '': HTML,
  '.html': HTML,
  '.md': 'text/markdown; charset=utf-8',
  '.txt': TEXT,
  '.json': 'application/json; charset=utf-8',
};

/** What the build made of docs/: pages, the same as Markdown, and what the search and programs read. */
export const GUIDE: readonly Middleware[] = [
  {
    path: '/llms.txt',
    handle: (request, response, next) => (isRead(request) ? redirect(response, 'guide/llms.txt') : next()),
  },
  { path: '/guide', handle: sendPage },
];

async function sendPage(request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> {
  const { url = '/', originalUrl = url } = request as IncomingMessage & { originalUrl?: string };
  if (isRead(request) && pathOf(originalUrl).endsWith('/guide')) {
    redirect(response, 'guide/');
    return;
  }
  const [whole, name = '', ending = ''] = /^\/([\w-]*)(\.[a-z]+)?$/.exec(pathOf(url)) ?? [];
  const mediaType = whole === undefined ? undefined : MEDIA_TYPES[ending];
  const file = `${BUILT_ASSETS}guide/${name || 'index'}${ending || '.html'}.gz`;
  const packed = mediaType === undefined ? undefined : await readFile(file).catch(() => undefined);
  if (!isRead(request) || mediaType === undefined || packed === undefined) {
    next();
    return;
  }
  const isPacked = accepts(request).encoding('gzip', 'identity') === 'gzip';
  sendContent(response, mediaType, isPacked ? packed : await unpack(packed), {
    headers: {
      ...DOCS_HEADERS,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
      ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    },
  });
}

function pathOf(address: string): string {
  return address.replace(/\?.*$/s, '');
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
