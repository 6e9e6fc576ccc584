import * as fs from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../../../src/server/store/store.ts';
import { temporaryFolders } from '../../../temporary-folder.ts';

const newFolder = temporaryFolders();

/** A disk that writes at most ten bytes in one call, as the system may. */
function writeSync(descriptor: number, data: Uint8Array | string, offset = 0, length?: number, position?: number) {
  const bytes = Buffer.from(data as string);
  return fs.writeSync(descriptor, bytes, offset, Math.min(length ?? bytes.length, 10), position);
}

it('the data of a dropped session is written whole, even by a disk that writes it in parts', async () => {
  import.meta.jest.unstable_mockModule('node:fs', () => ({ ...fs, writeSync }));
  const { UnreadableSessions } = await import('../../../../src/server/store/file/unreadable-sessions.ts');
  const unreadable = new UnreadableSessions();
  const file = join(newFolder(), 'state.json');
  const payments = [{ id: 'payment-1', note: 'long '.repeat(100) }];
  unreadable.add('shop', new StoreError('broken', file), { state: {}, payments });
  const path = unreadable.writeAside('shop', file);
  expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual({ state: {}, payments });
});
