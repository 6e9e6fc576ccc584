import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type Sandbox, startSandbox } from '../../src/sandbox.ts';

/**
 * Golden exchanges: text files with requests that one can paste into a shell, and their answers under a frozen clock and
 * the default seed. UPDATE_EXCHANGES=1 writes the answers anew; look at the difference before you keep it.
 */
const FOLDER = 'test/interface/exchanges/';
const SHOWN = 'http://127.0.0.1:4100';
const NOW = Date.parse('2026-03-01T10:00:00.000Z');

interface Exchange {
  request: string;
  answer: string;
}

function read(file: string): { title: string; exchanges: Exchange[] } {
  const [title = '', ...rest] = readFileSync(FOLDER + file, 'utf8').split('\n=== request\n');
  const exchanges = rest.map((part) => {
    const [request = '', answer = ''] = part.split('\n=== answer\n');
    return { request, answer: answer.trim() };
  });
  return { title: title.trim(), exchanges };
}

/** The words of a pasted command line: quotes and line continuations as a shell reads them. */
function words(command: string): string[] {
  return [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

/** Sends what curl would send for the options that the files use: -X, -H, -d, -F. */
async function send(sandbox: Sandbox, command: string): Promise<string> {
  const [program, ...options] = words(command);
  expect(program).toBe('curl');
  const headers = new Headers();
  const form = new FormData();
  let [url, method, body] = ['', '', undefined as string | undefined];
  while (options.length > 0) {
    const option = options.shift() ?? '';
    if (option === '-X') {
      method = options.shift() ?? '';
    } else if (option === '-H') {
      const [name = '', value = ''] = (options.shift() ?? '').split(': ');
      headers.set(name, value);
    } else if (option === '-d') {
      body = options.shift();
    } else if (option === '-F') {
      const [name = '', value = ''] = (options.shift() ?? '').split(/=(.*)/s);
      const [, file, type] = /^@(.+);type=(.+)$/.exec(value) ?? [];
      form.set(name, file ? new File([readFileSync(file)], 'picture.png', { type: type ?? '' }) : value);
    } else if (option !== '-s') {
      url = option.replace(SHOWN, sandbox.url);
    }
  }
  const content = body ?? ([...form].length > 0 ? form : null);
  const answer = await fetch(url, { method: method || (content ? 'POST' : 'GET'), headers, body: content });
  return `${answer.status}\n${await answer.text()}`;
}

describe.each(readdirSync(FOLDER).filter((file) => file.endsWith('.txt')))('%s', (file) => {
  const { title, exchanges } = read(file);

  it(`${title} Every request gets its answer to the byte`, async () => {
    const sandbox = await startSandbox({ now: NOW, publicUrl: SHOWN, checkAnswers: true });
    const came: Exchange[] = [];
    const seen: Record<string, string> = {};
    for (const { request } of exchanges) {
      // A file that is made anew names tokens by {{name}} until it knows them.
      const pasted = request.replace(/\{\{(\w+)\}\}/g, (whole, name) => seen[name] ?? whole);
      const answer = await send(sandbox, pasted);
      came.push({ request: pasted, answer });
      const found = answer.matchAll(/"(token|paymentToken)":"([^"]+)"/g);
      for (const [, name = '', value = ''] of found) {
        seen[name] ??= value;
      }
    }
    await sandbox.close();
    if (process.env['UPDATE_EXCHANGES']) {
      const parts = came.map(({ request, answer }) => `\n=== request\n${request}\n=== answer\n${answer}\n`);
      writeFileSync(FOLDER + file, `${title}\n${parts.join('')}`);
    }
    expect(came).toEqual(process.env['UPDATE_EXCHANGES'] ? came : exchanges);
  });
});
