import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { rawCall } from '../raw-call.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { temporaryFolders } from '../temporary-folder.ts';

const newFolder = temporaryFolders();
const STATUS_QUERY = '/sandbox/api/getPaymentDetails';
const QUERY = '{"transactionReference":"ORDER-1","walletName":"WALLET_QR"}';

let sandbox: Sandbox;
let urls: readonly string[];
beforeAll(async () => {
  sandbox = await startSandbox({ httpsPort: 0, tlsFolder: newFolder() });
  urls = [sandbox.url, sandbox.httpsUrl ?? ''];
});
afterAll(() => sandbox.close());

describe('a body with neither Content-Length nor Transfer-Encoding', () => {
  const expected = /^HTTP\/1.1 400 [\s\S]*Connection: close[\s\S]*neither Content-Length nor Transfer-Encoding/;

  it.each([
    ['a status query', `GET ${STATUS_QUERY}`, QUERY],
    ['a status query of 200 kB', `GET ${STATUS_QUERY}`, QUERY.padEnd(200_000)],
    ['a payment', 'POST /sandbox/init/authenticate/merchant/wallet', '{"amount":"10.00"}'],
    ['a control call', 'POST /_sandbox/reset', '{}'],
  ])('is refused with the names of the missing headers: %s', async (_title, line, body) => {
    for (const url of urls) {
      for (const headers of ['', 'Connection: close\r\n', 'Content-Type: application/json\r\n']) {
        const answer = await rawCall(url, `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`);
        expect(answer).toMatch(expected);
        expect(answer.split('HTTP/1.1')).toHaveLength(2);
      }
    }
  });

  it('is also refused if a Node.js client sends it: in the envelope of the operation, and with an entry in the request log', async () => {
    const session = sandbox.session('node');
    const call = httpRequest(session.baseUrl + STATUS_QUERY, { method: 'GET' });
    call.end(QUERY);
    const [response] = await once(call, 'response');
    let text = '';
    for await (const chunk of response) {
      text += chunk;
    }
    const message = expect.stringContaining('neither Content-Length nor Transfer-Encoding');
    expect(JSON.parse(text)).toEqual({ errorMessage: message, statusCode: 400 });
    expect((await session.list('requests')).items).toEqual([
      expect.objectContaining({ outcome: 'refused: malformed-body (SBX-R01)', reason: message }),
    ]);
  });

  it('is also refused after an earlier request on the connection; other invalid bytes are answered with an empty 400', async () => {
    const answers = await rawCall(
      sandbox.url,
      `GET /init/banks/all HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(2) + QUERY,
    );
    expect(answers).toMatch(/neither Content-Length nor Transfer-Encoding/);
    expect(await rawCall(sandbox.url, 'no HTTP\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
});

it.each([['/init/banks/all'], ['/nowhere'], ['/_sandbox/health'], ['/pay/phone']])(
  'an HTTP/1.0 connection is closed after the answer, even if the client asks to keep it: %s',
  async (path) => {
    for (const url of urls) {
      for (const headers of ['', 'Connection: keep-alive\r\n']) {
        const answer = await rawCall(url, `GET ${path} HTTP/1.0\r\nHost: localhost\r\n${headers}\r\n`);
        expect(answer).toMatch(/\r\nConnection: close\r\n/);
        expect(answer).not.toMatch(/keep-alive/i);
      }
    }
  },
);
