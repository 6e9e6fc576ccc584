import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import accepts from 'accepts';
import { BUILT_ASSETS, PACKAGE_ROOT } from '../../base/package.ts';
import { HTML_TYPE, redirect, sendContent, TEXT_TYPE } from '../http/answers.ts';
import type { Middleware } from '../http/entry-point.ts';
import { DOCS_HEADERS } from '../http/openapi/docs-page.ts';

const decompress = promisify(gunzip);

/** Media types of pages by the extension of their file names. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '': HTML_TYPE,
  '.html': HTML_TYPE,
  '.md': 'text/markdown; charset=utf-8',
  '.txt': TEXT_TYPE,
  '.json': 'application/json; charset=utf-8',
};

/** The files that the build made from docs/: pages in HTML and Markdown, and the indexes for the search and for programs. */
export const GUIDE: readonly Middleware[] = [
  {
    path: '/llms.txt',
    handle: (request, response, next) => (isReadRequest(request) ? redirect(response, 'guide/llms.txt') : next()),
  },
  { path: '/guide', handle: sendPage },
];

async function sendPage(request: IncomingMessage, response: ServerResponse, next: () => void): Promise<void> {
  const { url = '/', originalUrl = url } = request as IncomingMessage & { originalUrl?: string };
  if (isReadRequest(request) && pathOf(originalUrl).endsWith('/guide')) {
    redirect(response, 'guide/');
    return;
  }
  const [match, name = '', ending = ''] = /^\/([\w-]*)(\.[a-z]+)?$/.exec(pathOf(url)) ?? [];
  const mediaType = match === undefined ? undefined : MEDIA_TYPES[ending];
  const file = `${name || 'index'}${ending || '.html'}`;
  const gzipped = mediaType === undefined ? undefined : await readIfExists(`${BUILT_ASSETS}guide/${file}.gz`);
  // The build does not copy Markdown that it does not change.
  const plain =
    gzipped === undefined && ending === '.md' ? await readIfExists(`${PACKAGE_ROOT}docs/${file}`) : undefined;
  const page = gzipped ?? plain;
  if (!isReadRequest(request) || mediaType === undefined || page === undefined) {
    next();
    return;
  }
  const sendsCompressed = page === gzipped && accepts(request).encoding('gzip', 'identity') === 'gzip';
  sendContent(response, mediaType, page === gzipped && !sendsCompressed ? await decompress(page) : page, {
    headers: {
      ...DOCS_HEADERS,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
      ...(sendsCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    },
  });
}

function readIfExists(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined);
}

function pathOf(address: string): string {
  return address.replace(/\?.*$/s, '');
}

function isReadRequest({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
