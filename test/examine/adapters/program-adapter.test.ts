import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { delay } from '../../../src/base/timers.ts';
import { loadAdapter } from '../../../src/examine/adapters/adapters.ts';
import { AdapterError } from '../../../src/examine/shop/adapter.ts';
import { temporaryFolders } from '../../temporary-folder.ts';
import { writeProgram } from './forms.ts';

const newFolder = temporaryFolders();
const ORDER = { amount: '10.00', currency: 'USD', channel: 'mobile-money', payer: { name: 'Ann', mobile: '1' } };
const order = () => ({ ...ORDER, signal: new AbortController().signal });
/** Far more than a program needs to start on a busy machine. */
const LIMITS = { callMs: 60_000, restartMs: 60_000 };
const STATE = { state: 'PAID', fulfilments: 1, paidAmount: '10.00' };

/** A program that runs the given code for each call; `say` answers it. */
async function loadProgram(onCall: string, { calls = [] as string[], limits = LIMITS, folder = newFolder() } = {}) {
  const text = `
    import { spawn } from 'node:child_process';
    import { existsSync, writeFileSync } from 'node:fs';
    import { createInterface } from 'node:readline';
    const say = (line) => console.log(typeof line === 'string' ? line : JSON.stringify(line));
    const state = ${JSON.stringify(STATE)};
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, call, order, orderId } = JSON.parse(line);
      ${onCall}
    }
  `;
  return loadAdapter(writeProgram(folder, text, { calls }), { limits });
}

/** Resolves once a process has ended, which takes a moment after a kill. */
async function waitForExit(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ESRCH' });
      return;
    }
    await delay(20);
  }
}

it('a program is started once, gets calls as lines, and may answer in any order', async () => {
  const { adapter, close } = await loadProgram(
    `
    console.error('for people');
    if (call === 'refund') { say({ id, result: null }); continue; }
    if (orderId === 'first') { globalThis.first = id; continue; }
    say({ id, result: { ...state, state: JSON.stringify({ line, pid: process.pid }) } });
    say({ id: globalThis.first, result: { ...state, state: 'late' } });
    say('');
  `,
    { calls: ['refund'] },
  );
  const first = adapter.orderState('first');
  const { state } = await adapter.orderState('second');
  expect(JSON.parse(JSON.parse(state).line)).toEqual({ id: 2, call: 'orderState', orderId: 'second' });
  expect(await first).toEqual({ ...STATE, state: 'late' });
  await adapter.refund?.('first');
  expect(adapter.cancel).toBeUndefined();
  await close();
  await waitForExit(JSON.parse(state).pid);
});

it.each([
  ['ends', 'console.error("last words"); process.exit(3);', /the program ended with exit code 3;.*last words/s],
  ['is killed', 'process.kill(process.pid, "SIGKILL");', /the program ended (?:by SIGKILL|with exit code 137)/],
  ['prints text that is not JSON', 'say("looking for the order");', /not an answer: looking for the order/],
  ['prints JSON that is not an answer', 'say([id]);', /not an answer: \[1\]/],
  ['answers with neither result nor error', 'say({ id });', /not an answer: \{"id":1\}/],
  ['answers with both', 'say({ id, result: state, error: "x" });', /not an answer/],
  ['answers with an error that is not a string', 'say({ id, error: { message: "x" } });', /not an answer/],
  ['answers another call', 'say({ id: 7, result: state });', /answered call 7, which is not waiting for one/],
  ['prints an endless line', 'process.stdout.write("x".repeat(2_000_000));', /not an answer: xxx/],
  ['answers with an invalid state', 'say({ id, result: { ...state, paidAmount: true } });', /must resolve with/],
  ['answers with an error', 'say({ id, error: "no such order" });', /orderState\("7"\) failed: no such order/],
])('the adapter fails if the program %s', async (_what, onCall, words) => {
  const { adapter, close } = await loadProgram(onCall);
  const promise = adapter.orderState('7');
  await expect(promise).rejects.toBeInstanceOf(AdapterError);
  await expect(promise).rejects.toThrow(words);
  await close();
});

it('a program that answers twice fails the next call, and continues with the next order', async () => {
  const { adapter, close } = await loadProgram(`
    const result = call === 'placeOrder' ? { orderId: String(process.pid) } : state;
    say({ id, result });
    if (orderId === 'twice') say({ id, result });
  `);
  expect(await adapter.orderState('twice')).toEqual(STATE);
  // Either call may read the second answer, so both are made.
  await expect(adapter.orderState('8').then(() => adapter.orderState('9'))).rejects.toThrow('answered call 1');
  await expect(adapter.orderState('9')).rejects.toThrow('answered call 1');
  const { orderId } = await adapter.placeOrder(order());
  expect(await adapter.orderState(orderId)).toEqual(STATE);
  await close();
});

it('a program that does not answer is ended with its children, and restarted for the next order', async () => {
  const folder = newFolder();
  const child = `spawn('sleep', ['1000'], { stdio: 'ignore' })`;
  const { adapter, close } = await loadProgram(
    `if (call === 'placeOrder') say({ id, result: { orderId: process.pid } });
     else if (orderId === 'hang') { writeFileSync('child', String(${child}.pid)); console.error('I wait'); }`,
    { folder, limits: { callMs: 5000, restartMs: 5000 } },
  );
  const { orderId: before } = await adapter.placeOrder(order());
  await expect(adapter.orderState('hang')).rejects.toThrow(/did not answer orderState in time.*I wait/s);
  const { orderId: after } = await adapter.placeOrder(order());
  expect(after).not.toBe(before);
  expect(existsSync(join(folder, 'child'))).toBe(true);
  await waitForExit(Number(readFileSync(join(folder, 'child'), 'utf8')));
  await close();
});

it('a program that does not exist is reported', async () => {
  const { adapter } = await loadAdapter(writeProgram(newFolder(), '', { program: 'no-such-program-anywhere' }));
  await expect(adapter.placeOrder(order())).rejects.toThrow(/the program ended with exit code \d+;.*no-such-program/s);
});

it.each([
  ['names no command', { program: '' }, /\$\.program/],
  ['lists an unknown call', { calls: ['refunds'] }, /\$\.calls\[0\]: expected one of reconcile, reset/],
  ['has templates as well', { placeOrder: {} }, /\$\.placeOrder/],
  [
    'has an address with a variable that is not set',
    { app: 'http://{{env.NO_SUCH}}' },
    /\$\.app: \{\{env\.NO_SUCH\}\} is not set/,
  ],
])('a program adapter that %s is refused', async (_what, changes, words) => {
  await expect(loadAdapter(writeProgram(newFolder(), '', changes))).rejects.toThrow(words);
});
