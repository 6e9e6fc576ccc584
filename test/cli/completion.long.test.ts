import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { completionScript } from '../../src/cli/commands/completion-scripts.ts';
import { exampleOf } from '../interface/examples.ts';
import { runCommand } from '../run-command.ts';
import { linkProgram } from '../running.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
let sandbox: Sandbox;

/** Values that any caller of the sandbox can choose, and that are not plain words to a shell. */
const HOSTILE = ['$(touch pwned)', '`touch pwned`', '--url=http://127.0.0.1:1', 'a b', "it's", ';ls', '~root', 'a\tb'];

beforeAll(async () => {
  sandbox = await startSandbox();
  for (const payerReference of ['ORDER-1', 'ord:2', 'Bestellung-Ü', ...HOSTILE]) {
    await fetch(`${sandbox.url}/init/authenticate/merchant/wallet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(exampleOf('requests/single-payment', { payerReference })),
    });
  }
  await sandbox.client.settle('payment-2', 'Paid');
  await sandbox.session('checkout').useScenario('declined');
});
afterAll(() => sandbox.close());

async function suggest(...words: string[]): Promise<string[]> {
  const { stdout } = await runCommand(['__complete', ...words], { MERCHANT_SANDBOX_URL: sandbox.url });
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

it.each([
  ['commands', ['pay'], ['pay', 'payments', 'payouts']],
  ['commands after flags', ['--session', 'checkout', 'he'], ['health']],
  [
    'flags of a command that the line does not have yet',
    ['wait', '--timeout', '5', '--'],
    ['--url', '--session', '--control-token', '--json'],
  ],
  ['values of a flag', ['start', '--validation', ''], ['strict', 'lenient']],
  ['values of a flag after an equals sign', ['start', '--validation=l'], ['--validation=lenient']],
  ['scenarios for a flag of the command start', ['--scenario', 'outa'], ['outage']],
  ['scenarios of the running sandbox', ['scenario', 'ra'], ['rate-limited']],
  ['sessions', ['payments', '--session', ''], ['checkout', 'default']],
  ['actions of the clock', ['clock', 'f'], ['freeze']],
  ['references that are one plain word', ['payments', 'o'], ['ord:2', 'order=', 'origin=', 'originId=']],
  ['references with letters beyond ASCII', ['payments', 'B'], ['Bestellung-Ü']],
  ['only references of payments that are Processing', ['settle', 'ord'], []],
  ['outcomes', ['settle', 'ORDER-1', ''], ['Paid', 'Failed', 'Cancelled', 'Expired']],
  ['outcomes of credits', ['settle-payout', 'PAYOUT-1', ''], ['Paid', 'Failed', 'Returned']],
  ['filters', ['payments', 'sta'], ['state=']],
  ['values of a filter', ['payments', 'state=P'], ['state=Processing', 'state=Paid']],
  ['calls', ['requests', 'request-1'], ['request-11', 'request-10', 'request-1']],
  ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['files', ['start', '--data', ''], [':files']],
  ['nothing after the last argument', ['settle', 'ORDER-1', 'Paid', '00', ''], []],
])('completion suggests %s', async (_title, words, expected) => {
  expect(await suggest(...words)).toEqual(expected);
});

it('completion suggests ids instead of references that are not plain words to a shell', async () => {
  const words = await suggest('settle', '');
  expect(words).toEqual(expect.arrayContaining(['ORDER-1', 'payment-1', 'payment-4', `payment-${3 + HOSTILE.length}`]));
  expect(words.filter((word) => HOSTILE.includes(word))).toEqual([]);
});

it('completion suggests commands, but no records, if no sandbox is running or it does not answer', async () => {
  const openSockets: Socket[] = [];
  const silent = createServer((socket) => openSockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  for (const url of ['http://127.0.0.1:1', `http://127.0.0.1:${port}`, 'nonsense']) {
    const records = await runCommand(['__complete', 'payments', ''], { MERCHANT_SANDBOX_URL: url });
    expect(records).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await runCommand(['__complete', 'pay'], { MERCHANT_SANDBOX_URL: url })).stdout).toContain('payments\t');
  }
  silent.close();
  // A command in this process leaves its call open: a real one ends with its process.
  for (const socket of openSockets) {
    socket.destroy();
  }
});

it('the completion command prints the script of a shell, and lists the supported shells', async () => {
  expect(await runCommand(['completion', 'bash'])).toEqual({ code: 0, stdout: completionScript('bash'), stderr: '' });
  expect(await runCommand(['completion', 'fihs'])).toMatchObject({
    code: 2,
    stderr: 'merchant-sandbox: there is no completion for fihs, did you mean fish?\n',
  });
});

it.each(['bash', 'zsh', 'fish'])('the completion script for %s evaluates nothing', (shell) => {
  const script = completionScript(shell) ?? '';
  expect(script).toContain('__complete');
  expect(script).not.toMatch(/\beval\b|compgen -[WC]/);
});

/** For each shell, the arguments with which it completes a line. */
const SHELLS: Record<string, (line: string) => string[]> = {
  bash: (line) => [
    '--norc',
    '--noprofile',
    '-c',
    `source <(merchant-sandbox completion bash); COMP_LINE=$1; COMP_POINT=\${#1}; _merchant_sandbox; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    line,
  ],
  fish: (line) => [
    '--no-config',
    '-c',
    `merchant-sandbox completion fish | source; complete -C ${JSON.stringify(line)}`,
  ],
};

describe.each(Object.keys(SHELLS).filter((shell) => spawnSync(shell, ['--version']).status === 0))(
  'the completion of %s',
  (shell) => {
    async function complete(line: string): Promise<string[]> {
      const cwd = newFolder();
      writeFileSync(join(cwd, 'a file.json'), '');
      const { NODE_OPTIONS: _, ...environment } = process.env;
      const env = {
        ...environment,
        PATH: `${linkProgram(join(cwd, 'bin'))}${delimiter}${environment['PATH']}`,
        MERCHANT_SANDBOX_URL: sandbox.url,
      };
      const { stdout } = await promisify(execFile)(shell, SHELLS[shell]?.(`merchant-sandbox ${line}`) ?? [], {
        cwd,
        env,
      });
      return stdout
        .split('\n')
        .flatMap((each) => (each === '' ? [] : [each.split('\t')[0] ?? '']))
        .sort();
    }

    it('completes commands, scenarios, references and files', async () => {
      expect(await complete('pay')).toEqual(['pay', 'payments', 'payouts']);
      expect(await complete('scenario ra')).toEqual(['rate-limited']);
      expect(await complete('settle ORD')).toEqual(['ORDER-1']);
      expect(await complete('start --config a')).toEqual([expect.stringMatching(/^a(\\)? file\.json$/)]);
    });

    it('completes after an equals sign and a colon, where some shells begin a new word', async () => {
      const splitsWords = shell === 'bash';
      expect(await complete('start --validation=')).toEqual(
        ['lenient', 'strict'].map((word) => (splitsWords ? word : `--validation=${word}`)),
      );
      expect(await complete('payments ord:')).toEqual([splitsWords ? '2' : 'ord:2']);
    });
  },
);
