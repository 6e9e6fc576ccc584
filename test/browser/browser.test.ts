import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findBrowser } from '../../scripts/browser.mjs';
import { openBrowser } from './browser.ts';

test('a browser opens a page of this machine and runs its script', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>before</title><script>document.title = String(6 * 7)</script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    expect(await page.title()).toBe('42');
  } finally {
    await browser.close();
    server.close();
  }
});

test('the browser that the environment names is used', () => {
  expect(findBrowser({ ...process.env, SANDBOX_TEST_BROWSER: process.execPath })).toBe(process.execPath);
});

test('a browser that the environment names but that does not exist is rejected with its path', () => {
  expect(() => findBrowser({ ...process.env, SANDBOX_TEST_BROWSER: '/no/such/browser' })).toThrow('/no/such/browser');
});
