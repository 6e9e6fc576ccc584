import type { ControlError } from '../../../src/client/control-error.ts';
import type { Sandbox } from '../../../src/index.ts';
import { startWith } from '../../../src/start-with.ts';
import { FakeExaminer, READY, VERDICTS } from './fake-examiner.ts';

let sandbox: Sandbox;
let examiner: FakeExaminer;

beforeEach(async () => {
  examiner = new FakeExaminer();
  sandbox = await startWith({ examiner }, { checkAnswers: true });
});
afterEach(() => sandbox.close());

const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ status, message }: ControlError) => ({ status, message }),
  );

it('the examination does not depend on the session', async () => {
  expect(await sandbox.client.examination()).toEqual(READY);
  examiner.setVerdicts(VERDICTS);
  const { verdicts, counts, invariants } = await sandbox.session('another').examination();
  expect(verdicts).toEqual(VERDICTS);
  expect(counts).toContainEqual({ verdict: 'violated', words: 'violated', count: 2 });
  expect(invariants.map(({ id }) => id)).toContain('I12');
});

it('an examination can be started with options, watched, and stopped', async () => {
  await sandbox.client.startExamination({ only: ['I2', 'mobile-money'], seed: 7, budget: 'PT0S' });
  expect(examiner.started).toEqual([{ only: ['I2', 'mobile-money'], seed: 7, budget: 'PT0S' }]);
  expect((await sandbox.client.examination()).state).toBe('running');
  await sandbox.client.stopExamination();
  expect((await sandbox.client.examination()).state).toBe('stopped');
  await sandbox.client.startExamination();
  expect(examiner.started).toHaveLength(2);
});

it('a second examination is refused while one runs', async () => {
  await sandbox.client.startExamination();
  expect(await refusalOf(sandbox.client.startExamination())).toMatchObject({ status: 409 });
  expect(examiner.started).toHaveLength(1);
});

it.each([
  ['an adapter', { adapter: './other.mjs' }],
  ['a command', { command: 'rm -rf .' }],
  ['the address of a shop', { app: 'http://127.0.0.1:1' }],
  ['a budget that is not a duration', { budget: 'soon' }],
  ['a seed that is not a whole number', { seed: 1.5 }],
])('an examination with %s is refused', async (_title, body) => {
  expect(await refusalOf(sandbox.client.call('POST', '/examination', body))).toMatchObject({ status: 400 });
  expect(examiner.started).toEqual([]);
});

it('without a shop, starting an examination is refused with advice, and stopping is not refused', async () => {
  const other = await startWith({}, { checkAnswers: true });
  expect(await other.client.examination()).toMatchObject({ state: 'no-shop', shop: null, verdicts: [] });
  expect(await refusalOf(other.client.startExamination())).toMatchObject({
    status: 409,
    message: expect.stringContaining('--examine <adapter>'),
  });
  await other.client.stopExamination();
  await other.close();
});
