import { runCommand } from '../run-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { pay } from '../server/payer-pages/visits.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ now: Date.parse('2026-03-01T10:00:00.000Z') });
});
beforeEach(() => sandbox.client.reset());
afterAll(() => sandbox.close());

const resume = (...words: string[]) => runCommand(['resume', ...words, '--url', sandbox.url]);

describe('resume', () => {
  it('reports that the session has no endpoints, and how to set one', async () => {
    expect(await resume()).toEqual({
      code: 0,
      stdout: 'Session default has no webhook endpoints: merchant-sandbox endpoints <url> sets one.\n',
      stderr: '',
    });
  });

  it('reports which endpoints it found if none of them is stopped, and what to do instead', async () => {
    const { endpoints } = await sandbox.client.setEndpoints(['sandbox:catch', 'http://127.0.0.1:1/']);
    const [one, other] = endpoints.map(({ id }) => id);
    expect(await resume()).toEqual({
      code: 0,
      stdout: `Nothing to resume: no endpoint of session default (${one}, ${other}) is paused, halted or switched off. merchant-sandbox resend sends failed notifications again.\n`,
      stderr: '',
    });
    expect(JSON.parse((await resume('--json')).stdout)).toEqual([]);
  });

  it('shows the endpoints that it resumes', async () => {
    await sandbox.client.setEndpoints(['http://127.0.0.1:1/']);
    await pay(sandbox.client, { payerReference: 'ORDER-1' });
    await sandbox.client.fork('default', { as: 'what-if' });
    expect((await resume('--session', 'what-if')).stdout).toMatch(
      /^id +url +queue +failures\nendpoint-\d+ +http:\/\/127\.0\.0\.1:1\/ +open +0\n$/,
    );
    await sandbox.client.deleteSession('what-if');
  });
});
