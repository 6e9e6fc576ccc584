import * as fs from 'node:fs';
import { join } from 'node:path';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { payment, put, state } from '../samples.ts';

const temporaryFolder = temporaryFolders();
const disk = { isBroken: false };

/** A disk that, once broken, confirms no writes any more. */
function fdatasync(descriptor: number, done: fs.NoParamCallback): void {
  if (disk.isBroken) {
    done(new Error('EIO: i/o error, fdatasync'));
  } else {
    fs.fdatasync(descriptor, done);
  }
}

it('a change that the disk does not confirm has an unknown outcome; later changes are definitely refused', async () => {
  import.meta.jest.unstable_mockModule('node:fs', () => ({ ...fs, fdatasync }));
  const { openStore } = await import('../../../../src/server/store/file/embedded-store.ts');
  const store = await openStore({
    file: join(temporaryFolder(), 'state.json'),
    syncToDisk: true,
    onWarning: () => undefined,
  });
  const commitPayment = (id: string) =>
    store.commit({ session: 'shop', state: state(), changes: [put('payments', payment(id))] });
  await commitPayment('payment-1');
  disk.isBroken = true;
  await expect(commitPayment('payment-2')).rejects.toMatchObject({
    kind: 'outcome-unknown',
    message: expect.stringContaining('the disk has not confirmed it: EIO: i/o error, fdatasync'),
    refusalForOthers: { kind: 'storage' },
  });
  await expect(commitPayment('payment-3')).rejects.toMatchObject({ kind: 'storage' });
  expect((await store.list('shop', 'payments', { limit: 9 })).items.map(({ id }) => id)).toEqual(['payment-1']);
  await store.close();
});
