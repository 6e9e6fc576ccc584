// From the start of the process to its first answer to a payment.
import { expressArgs, inTurns, medianOf, ratioOf } from '../measure.mjs';
import { bodyOf, CHANNELS, WALLET } from '../payment.mjs';
import { startServer } from '../processes.mjs';
import { call, sandboxArgs, withStored } from '../sandbox.mjs';

const BODY = bodyOf(CHANNELS['mobile money'], 'ORDER-1');
const ANSWER_SIZE = 900;

export async function benchStart({ rounds, folder }) {
  const [bare, own] = await inTurns(
    rounds,
    () => startAndAsk(expressArgs(ANSWER_SIZE), '/pay'),
    () => withStored(folder, 0, (data) => startAndAsk(sandboxArgs(data), WALLET)),
  );
  const medians = (member) => `${medianOf(own, member).toFixed(0)} against ${medianOf(bare, member).toFixed(0)}`;
  return [
    {
      name: 'start to first answer, relative to bare Express',
      value: ratioOf(own, bare, 'milliseconds'),
      aim: 1.3,
      isMaximum: true,
      note: `${medians('milliseconds')} ms; then ${medians('memory')} MB resident`,
    },
  ];
}

export async function startAndAsk(args, path) {
  const started = performance.now();
  const server = await startServer(args);
  await call(`${server.url}${path}`, 'POST', BODY);
  const milliseconds = performance.now() - started;
  const memory = server.memory();
  await server.stop();
  return { milliseconds, memory };
}
