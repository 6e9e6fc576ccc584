import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { openBrowser } from './browser.ts';

const TOKEN = 'a-token';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;
/** Pages of another site: to a browser, localhost and 127.0.0.1 are different sites. */
let otherSite: { url: string; server: Server };

beforeAll(async () => {
  sandbox = await startSandbox({ host: '0.0.0.0', controlToken: TOKEN });
  browser = await openBrowser();
  page = await browser.newPage();
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('to') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="${to}">there</a><form method="post" action="${to}"><button>send</button></form>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  otherSite = { server, url: `http://localhost:${(server.address() as AddressInfo).port}` };
});
afterAll(async () => {
  await browser.close();
  otherSite.server.close();
  await sandbox.close();
});
afterEach(() => page.context().clearCookies());

const docs = () => `${sandbox.url}/_sandbox/docs`;

/** Opens a page of another site, and follows its link. */
async function followLinkTo(address: string): Promise<void> {
  await page.goto(`${otherSite.url}/?to=${encodeURIComponent(address)}`);
  await page.click('a');
}

const waitForDocs = () => page.waitForSelector('#reference', { state: 'attached' });

/** The status that a script of the open page gets. */
const statusOf = (path: string, method: string) =>
  page.evaluate(async ([where, how]) => (await fetch(String(where), { method: String(how) })).status, [path, method]);

it('a link with a token, on another site, logs the browser in, and the browser stays logged in', async () => {
  await followLinkTo(`${docs()}?token=${TOKEN}`);
  await waitForDocs();
  expect(await statusOf('/_sandbox/payments', 'GET')).toBe(200);
  expect(await statusOf('/_sandbox/reset', 'POST')).toBe(200);
  await followLinkTo(docs());
  await waitForDocs();
  await followLinkTo(`${sandbox.url}/_sandbox/payments?state=Paid&limit=1`);
  await page.getByText('{"items":[]').waitFor();
  expect(page.url()).toBe(`${sandbox.url}/_sandbox/payments?state=Paid&limit=1`);
});

it('a token in an address logs the browser in, and is hidden from the address and from scripts', async () => {
  await page.goto(`${sandbox.url}/s/shop/_sandbox/docs?token=${TOKEN}`);
  expect(page.url()).toBe(`${sandbox.url}/s/shop/_sandbox/docs`);
  expect(await page.title()).toContain('API reference');
  expect(await page.evaluate(() => document.cookie)).toBe('');
});

it('a page of a browser that is logged in can read the stream', async () => {
  await page.goto(`${docs()}?token=${TOKEN}`);
  const ready = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const source = new EventSource('/_sandbox/stream');
        source.addEventListener('ready', ({ data }) => {
          source.close();
          resolve(data);
        });
      }),
  );
  expect(JSON.parse(ready)).toMatchObject({ session: { name: 'default' } });
});

it('a browser that is not logged in is shown no data, and is not redirected endlessly', async () => {
  await followLinkTo(docs());
  await page.getByText('the sandbox listens beyond loopback').waitFor();
  expect(page.url()).toBe(docs());
});

it('a form of another site is refused, although the browser is logged in', async () => {
  await page.goto(`${docs()}?token=${TOKEN}`);
  await page.goto(`${otherSite.url}/?to=${encodeURIComponent(`${sandbox.url}/_sandbox/reset`)}`);
  const [answer] = await Promise.all([page.waitForResponse(`${sandbox.url}/_sandbox/reset`), page.click('button')]);
  expect([401, 403]).toContain(answer.status());
});
