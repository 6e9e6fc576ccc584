// The throughput of each channel, validated and durable, compared with bare Express.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { compareWithExpress, expressArgs } from '../measure.mjs';
import { bodyOf, CHANNELS, WALLET } from '../payment.mjs';
import { startServer } from '../processes.mjs';
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
      const result = await compareWithExpress(options, url, { body: bodyOf(members) }, Buffer.byteLength(text));
      await sandbox.stop();
      return result;
    });
    rows.push({ name: `${name}, relative to bare Express`, aim: AIMS[name], ...measured });
  }
  return [...rows, await compareDrawing(options)];
}

/** The throughput of bare Express if it only draws the image of a QR payment, as a share of its throughput without that. */
async function compareDrawing(options) {
  // In this folder, because its libraries are resolved from there.
  const module = resolve('node_modules/.cache/bench/qr-image.mjs');
  buildSync({ entryPoints: ['src/base/qr-image.ts'], outfile: module, bundle: true, platform: 'node', format: 'esm' });
  const drawing = await startServer(expressArgs(1200, pathToFileURL(module).href));
  const body = bodyOf(CHANNELS['QR wallet']);
  const measured = await compareWithExpress(options, `${drawing.url}/pay`, { body }, 1200);
  await drawing.stop();
  return { name: 'bare Express that draws the image, relative to bare Express', ...measured };
}
