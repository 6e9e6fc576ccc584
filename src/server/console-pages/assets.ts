import express from 'express';
import { BUILT_ASSETS, readJson } from '../../base/package.ts';
import type { Middleware } from '../http/entry-point.ts';

const FOLDER = `${BUILT_ASSETS}console/`;

/** What the page begins with; the names of all files carry a hash of their content. */
export interface EntryFiles {
  script: string;
  /** Shares one stream among all tabs. */
  worker: string;
  style: string;
  icon: string;
}

export function readEntryFiles(): EntryFiles {
  return readJson<EntryFiles>(`${FOLDER}entry.json`);
}

/** The files of the build. They can be cached for ever, because their names contain a digest of the content. */
export const ASSETS: Middleware = {
  path: '/assets',
  handle: express.static(FOLDER, {
    immutable: true,
    maxAge: '1y',
    index: false,
    redirect: false,
    setHeaders: (response) => response.setHeader('X-Content-Type-Options', 'nosniff'),
  }),
};
