import type { Response } from 'express';
import { BUILT_ASSETS, readJson } from '../../base/package.ts';

const FOLDER = `${BUILT_ASSETS}console/`;

/** What the page begins with; the names of all files carry a hash of their content. */
export interface Entry {
  script: string;
  /** Shares one stream among all tabs. */
  worker: string;
  style: string;
  icon: string;
}

export function readEntry(): Entry {
  return readJson<Entry>(`${FOLDER}entry.json`);
}

/** A file of the build. What a name stands for never changes. */
export function sendAsset(name: string, response: Response): void {
  response.sendFile(
    name,
    { root: FOLDER, immutable: true, maxAge: '1y', headers: { 'X-Content-Type-Options': 'nosniff' } },
    (error) => {
      if (error && !response.headersSent) {
        response.status(404).type('text').send('the console has no such file\n');
      }
    },
  );
}
