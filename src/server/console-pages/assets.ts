import express from 'express';
import { BUILT_ASSETS, readJson } from '../../base/package.ts';
import type { Middleware } from '../http/entry-point.ts';

const ASSETS_FOLDER = `${BUILT_ASSETS}console/`;

/** Names of the files that the page links to. */
export interface EntryFiles {
  script: string;
  /** Shares one stream among all tabs. */
  worker: string;
  style: string;
  icon: string;
}

export function readEntryFiles(): EntryFiles {
  return readJson<EntryFiles>(`${ASSETS_FOLDER}entry.json`);
}

/** Browsers may cache these files for a year, because their names contain a hash of the content. */
export const ASSETS: Middleware = {
  path: '/assets',
  handle: express.static(ASSETS_FOLDER, {
    immutable: true,
    maxAge: '1y',
    index: false,
    redirect: false,
    setHeaders: (response) => response.setHeader('X-Content-Type-Options', 'nosniff'),
  }),
};
