import { createHash } from 'node:crypto';
import { drift } from '../../src/recordings/drift.ts';
import { RecordingWriter } from '../../src/recordings/recording-writer.ts';
import { temporaryFolders } from '../temporary-folder.ts';
import { usedBytes } from '../used-bytes.ts';
import { after, initiation, statusQuery } from './drift/compared.ts';

const temporaryFolder = temporaryFolders();

const [FEW, MANY] = [10_000, 100_000];
/** What is kept of an exchange: where it stands in its file, and half of a payment that is followed. */
const MOST_BYTES_EACH = 2000;

/** Payments on mobile money, one a second, each with a query of its status a little later. */
async function recordingOf(exchanges: number, name: string): Promise<string> {
  const folder = temporaryFolder();
  const head = { upstream: `https://${name}.test`, startedAt: after(0), masked: [] };
  const writer = await RecordingWriter.create(folder, head);
  for (let count = 0; count < exchanges / 2; count += 1) {
    const paymentId = createHash('md5').update(`${name} ${count}`).digest('hex').toUpperCase();
    await writer.write(
      initiation(`ORDER-${count}`, count, {
        status: 'Processing',
        paymentTokenDescription: 'Your payment is being processed.',
        paymentToken: null,
        paymentId,
      }),
    );
    await writer.write(statusQuery(paymentId, count + 0.5, 'Paid', { paymentReference: `ORDER-${count}`, amount: 10 }));
  }
  await writer.close();
  return folder;
}

/** Compares two recordings of so many exchanges; `used` are the bytes in use when all of them are compared. */
async function compared(exchanges: number) {
  const [folder, other] = [await recordingOf(exchanges, 'one'), await recordingOf(exchanges, 'other')];
  const { signal } = new AbortController();
  let [calls, used] = [0, 0];
  // It is asked before each call whether to go on.
  signal.throwIfAborted = () => {
    calls += 1;
    if (calls === exchanges) {
      used = usedBytes();
    }
  };
  return { report: await drift({ folder, other, signal }), used };
}

test('100,000 exchanges are compared, and each more than 10,000 takes no more memory than is stated', async () => {
  const few = await compared(FEW);
  const many = await compared(MANY);
  expect(many.report).toMatchObject({ verdict: 'same', differences: [], notCompared: [] });
  expect(many.report.compared).toMatchObject({ exchanges: MANY, payments: MANY / 2 });
  expect(many.used - few.used).toBeLessThan((MANY - FEW) * MOST_BYTES_EACH);
}, 1_800_000);
