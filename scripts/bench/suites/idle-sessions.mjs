// The memory of a session that was created but never used.
import { call, startProbedSandbox, withCommas, withStored } from '../sandbox.mjs';

const SESSIONS = 10_000;
/** Sessions that are created before the measurement, so that all code is compiled and the request log is full. */
const WARM = 2_000;
const CONCURRENCY = 10;

export async function benchIdleSessions({ folder }) {
  return withStored(folder, 0, async (data) => {
    const sandbox = await startProbedSandbox(data, '--max-sessions', String(WARM + SESSIONS + 1));
    const { url } = sandbox;
    await makeSessions(url, 'warm', WARM);
    const before = await sandbox.heap();
    const started = performance.now();
    await makeSessions(url, 'idle', SESSIONS);
    const milliseconds = (performance.now() - started) / SESSIONS;
    const after = await sandbox.heap();
    await sandbox.stop();
    return [
      {
        name: `${withCommas(SESSIONS)} idle sessions, bytes each`,
        value: (after - before) / SESSIONS,
        aim: 5000,
        isMaximum: true,
        note: `after a full collection ${((after - before) / 1e6).toFixed(1)} MB for all; ${milliseconds.toFixed(2)} ms to create one`,
      },
    ];
  });
}

async function makeSessions(url, name, count) {
  let created = 0;
  const work = async () => {
    while (created < count) {
      created += 1;
      await call(`${url}/_sandbox/sessions`, 'POST', { name: `${name}-${created}` });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}
