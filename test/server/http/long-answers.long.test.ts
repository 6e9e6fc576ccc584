import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { sendJsonInTurns, sendTextInTurns } from '../../../src/server/http/long-answers.ts';

/** Sends an answer from a server, and counts how often other work ran until it was sent. */
async function sendAndCount(send: (response: Parameters<typeof sendJsonInTurns>[0]) => Promise<void>) {
  let turns = 0;
  const server = createServer((_, response) => {
    let isSent = false;
    const count = () => {
      turns += 1;
      if (!isSent) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    void send(response).finally(() => {
      isSent = true;
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const text = await response.text();
  server.close();
  return { text, length: Number(response.headers.get('content-length')), turns };
}

describe('a long answer', () => {
  it('is the JSON of its content, with its length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 5 }), async (values) => {
        const content = { list: Array.from({ length: 120 }, () => values), left: undefined, dates: [new Date(0)] };
        const { text, length } = await sendAndCount((response) => sendJsonInTurns(response, content));
        expect(text).toBe(JSON.stringify(content));
        expect(length).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 20 },
    );
  });

  it('is written in steps, so that other work continues between them', async () => {
    const list = Array.from({ length: 60_000 }, (_, id) => ({ id, text: 'ä'.repeat(200) }));
    const { text, turns } = await sendAndCount((response) => sendJsonInTurns(response, { list }));
    expect(text).toBe(JSON.stringify({ list }));
    expect(turns).toBeGreaterThan(2);
  });

  it('is divided between characters, and not within surrogate pairs', async () => {
    const fullText = `a${'😀'.repeat(100_000)}`;
    const { text } = await sendAndCount((response) => sendTextInTurns(response, 'text/plain', fullText));
    expect(text).toBe(fullText);
  });
});
