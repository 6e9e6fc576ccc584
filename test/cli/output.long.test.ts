import { once } from 'node:events';
import { startProgram } from '../running.ts';

const startArgs = ['start', '--port', '0', '--data', ':memory:'];

/** Calls whose log lines are long, one after the other. */
async function callOften(url: string, times: number): Promise<void> {
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}${'x'.repeat(500)}`, n])));
  for (let n = 0; n < times; n++) {
    const answer = await fetch(`${url}/init/authenticate/merchant/wallet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await answer.arrayBuffer();
  }
}

it.each(['text', 'json'])('a sandbox serves calls and ends although nobody reads its %s log', async (format) => {
  const { url, child, end } = await startProgram(...startArgs, '--log-format', format);
  child.stdout?.removeAllListeners('data');
  child.stdout?.pause();
  await callOften(url, 300);
  const ended = end('SIGTERM');
  await once(child, 'exit');
  child.stdout?.resume();
  expect(await ended).toBe(0);
});

it('a sandbox serves calls and ends although the reader of its log has exited', async () => {
  const { url, child, end } = await startProgram(...startArgs);
  child.stdout?.destroy();
  await callOften(url, 20);
  expect(await end('SIGTERM')).toBe(0);
});

it('every line of the log is written before the end, in order', async () => {
  const { url, end, output } = await startProgram(...startArgs, '--log-format', 'json');
  await callOften(url, 50);
  expect(await end('SIGINT')).toBe(0);
  const [ready = '', ...lines] = output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  expect(JSON.parse(ready)).toMatchObject({ msg: 'ready' });
  expect(lines.map((line) => JSON.parse(line).request)).toEqual(lines.map((_, n) => `request-${n + 1}`));
  expect(lines).toHaveLength(50);
});
