import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exchangeFiles, FOLDER, PUBLIC_URL, readExchanges } from '../../scripts/exchanges.mjs';
import { VERSION } from '../../src/base/package.ts';
import type { JobView } from '../../src/base/schema/generated/control.ts';
import type { Sandbox } from '../sandbox.ts';
import { requestOf } from './exchange-requests.ts';
import { startSandbox } from './sandboxes.ts';

/**
 * Golden exchanges: text files with requests that can be pasted into a shell, and their answers under a frozen clock and the
 * default seed. UPDATE_EXCHANGES=1 updates the answers; review the difference before you commit it.
 */
const NOW = Date.parse('2026-03-01T10:00:00.000Z');

interface Exchange {
  request: string;
  answer: string;
}

/** Sends the request of a curl command, to the sandbox or to another server in which its application is mounted. */
async function send(sandbox: Sandbox, command: string, base: string): Promise<string> {
  const answer = await fetch(requestOf(command, base));
  return `${answer.status}\n${withoutVaryingParts(await answer.text(), sandbox)}`.trim();
}

/** Waits until all due notifications are sent, and their results are stored. */
async function waitUntilIdle({ client }: Sandbox): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    const { now, nextDue } = await client.clock();
    const { items } = await client.list<JobView>('jobs');
    isBusy = (nextDue !== null && nextDue <= now) || items.some(({ waitsFor }) => waitsFor === 'network');
  }
}

/** Replaces values that depend on the machine: port and client, durations, the timestamp of a signature. */
function withoutVaryingParts(answer: string, { url }: Sandbox): string {
  return answer
    .replaceAll(url.replace('http://', ''), PUBLIC_URL.replace('http://', ''))
    .replace(/"(ms|milliseconds|time|wait)":[\d.]+/g, '"$1":1')
    .replace(/"headers":\{"host":[^}]*\}/g, '"headers":{"host":"127.0.0.1:4100","content-type":"application/json"}')
    .replace(/"headers":\[\{"name":"host"[^\]]*\]/g, '"headers":[{"name":"host","value":"127.0.0.1:4100"}]')
    .replace(`"version":"${VERSION}"`, '"version":"1.0.0"')
    .replace(/"webhook-timestamp":"\d+"/g, '"webhook-timestamp":"1772359200"')
    .replace(/"webhook-signature":"v1,[^"]+"/g, `"webhook-signature":"v1,${'A'.repeat(43)}="`);
}

describe.each(exchangeFiles())('%s', (file) => {
  const { title, exchanges } = readExchanges(file);

  it(`${title} Each request gets the same answer to the byte`, async () => {
    const sandbox = await startSandbox({ now: NOW, publicUrl: PUBLIC_URL, checkAnswers: true });
    const received: Exchange[] = [];
    const tokens: Record<string, string> = {};
    const mounted = createServer(sandbox.app).listen(0, '127.0.0.1');
    await once(mounted, 'listening');
    const bases = [sandbox.url, `http://127.0.0.1:${(mounted.address() as AddressInfo).port}`];
    for (const [index, { request }] of exchanges.entries()) {
      // A new file has {{name}} in place of tokens until it is updated.
      const pasted = request.replace(/\{\{(\w+)\}\}/g, (match, name) => tokens[name] ?? match);
      const answer = await send(sandbox, pasted, bases[index % 2] ?? sandbox.url);
      if (file.startsWith('webhooks')) {
        await waitUntilIdle(sandbox);
      }
      received.push({ request: pasted, answer });
      const matches = answer.matchAll(/"(token|paymentToken)":"([^"]+)"/g);
      for (const [, name = '', value = ''] of matches) {
        tokens[name] ??= value;
      }
    }
    mounted.close();
    await sandbox.close();
    if (process.env['UPDATE_EXCHANGES']) {
      const parts = received.map(({ request, answer }) => `\n=== request\n${request}\n=== answer\n${answer}\n`);
      writeFileSync(FOLDER + file, `${title}\n${parts.join('')}`);
    }
    expect(received).toEqual(process.env['UPDATE_EXCHANGES'] ? received : exchanges);
  });
});
