// The memory of a stored payment, and the resident memory of the process under load.
import { inTurns, medianOf } from '../measure.mjs';
import { startProbedSandbox, startSandbox, store, withCommas, withStored } from '../sandbox.mjs';

/** Payments after which the request log is full, and all code is compiled. */
const WARM = 5_000;

export async function benchMemory({ rounds, levels: [count], folder }) {
  const heap = await withStored(folder, 0, (data) => heapWith(count, data));
  const [resident] = await inTurns(rounds, () => withStored(folder, 0, (data) => residentAfter(count, data)));
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    {
      name: 'memory per stored payment, bytes',
      value: (heap.after - heap.before) / count,
      aim: 1200,
      isMaximum: true,
      note: `after a full collection ${megabytes(heap.before)} with ${withCommas(WARM)}, ${megabytes(heap.after)} with ${withCommas(count)} more`,
    },
    {
      name: `resident memory after ${withCommas(count)} payments under load, MB`,
      value: medianOf(resident, 'after'),
      aim: 400,
      isMaximum: true,
      note: `${medianOf(resident, 'before').toFixed(0)} MB before, ${medianOf(resident, 'most').toFixed(0)} MB at most`,
    },
  ];
}

async function heapWith(count, data) {
  const sandbox = await startProbedSandbox(data);
  await store(sandbox.url, WARM);
  const before = await sandbox.heap();
  await store(sandbox.url, count);
  const after = await sandbox.heap();
  await sandbox.stop();
  return { before, after };
}

async function residentAfter(count, data) {
  const sandbox = await startSandbox(data);
  const before = sandbox.memory();
  await store(sandbox.url, count);
  const [after, most] = [sandbox.memory(), sandbox.peakMemory()];
  await sandbox.stop();
  return { before, after, most };
}
