// Each channel's throughput beside bare Express, checked and durable.
import { besideExpress } from '../measure.mjs';
import { bodyOf, CHANNELS, WALLET } from '../payment.mjs';
import { call, startSandbox, withStored } from '../sandbox.mjs';

const AIMS = {
  'mobile money': 1,
  'QR wallet': 0.6,
  'card switch': 0.9,
  'card network A': 0.9,
  'card network B': 0.9,
};

export async function benchPayments(options) {
  const rows = [];
  for (const [name, members] of Object.entries(CHANNELS)) {
    const measured = await withStored(options.folder, 0, async (data) => {
      const sandbox = await startSandbox(data);
      const url = `${sandbox.url}${WALLET}`;
      const { text } = await call(url, 'POST', bodyOf(members, 'ORDER-1'));
      const result = await besideExpress(options, url, { body: bodyOf(members) }, Buffer.byteLength(text));
      await sandbox.stop();
      return result;
    });
    rows.push({ name: `${name}, of bare Express`, aim: AIMS[name], ...measured });
  }
  return rows;
}
