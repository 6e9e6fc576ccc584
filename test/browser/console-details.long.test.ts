import jsqr from 'jsqr';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import request from 'supertest';
import { MERCHANT } from '../interface/examples.ts';
import { sendPasted } from '../pasted-command.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { pay } from '../server/payer-pages/visits.ts';
import { waitForCount } from './browser.ts';
import { ConsolePage } from './console-page.ts';
import { makePayout, makeRefusedCall } from './records.ts';

let ui: ConsolePage;
let page: Page;
let sandbox: Sandbox;

beforeAll(async () => {
  ui = await ConsolePage.start();
  ({ page, sandbox } = ui);
});
afterEach(() => ui.finishTest());
afterAll(() => ui.close());

const textsOf = (rows: Locator) => rows.locator('.row-title').allTextContents();

/** Texts with a character that reverses the text after it, in a line with other texts that it can affect. */
const NOT_ISOLATED = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    let place = text.parentElement;
    if (!text.data.includes('\\u202e') || place.matches('title, option')) continue;
    const isInline = ({ display, unicodeBidi }) => display === 'inline' && unicodeBidi === 'normal';
    while (isInline(getComputedStyle(place))) place = place.parentElement;
    if (place.textContent.trim() !== text.data.trim()) found.push(place.outerHTML.slice(0, 300));
  }
  return found;
})()`;

describe('the payments screen', () => {
  it('names an unknown filter, and finds a text with a colon in quotes', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER:1' });
    await pay(session, { payerReference: 'ORDER:2' });
    await ui.open(session, 'payments');
    const search = page.getByLabel('Search');
    await search.fill('stat:Paid');
    await page.getByText('Unknown filter stat, did you mean state?').waitFor();
    await waitForCount(page.locator('a.row'), 0);
    await search.fill('"ORDER:2"');
    await page.getByTestId('count').filter({ hasText: '1 row' }).waitFor();
    expect(await textsOf(page.locator('a.row'))).toEqual(['ORDER:2']);
  });

  it("has a QR code that leads a phone to the payer's page", async () => {
    const session = await ui.newSession();
    const { paymentCode } = await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments/payment-1');
    await page.locator('.qr path[d*=M]').waitFor();
    const { data, width, height } = PNG.sync.read(await page.getByTestId('qr').screenshot());
    expect(jsqr.default(new Uint8ClampedArray(data), width, height)?.data).toBe(
      `${session.baseUrl}/pay/approve/${paymentCode}`,
    );
    const address = await page.getByRole('link', { name: "Open the payer's wallet" }).getAttribute('href');
    expect((await fetch(address ?? '')).status).toBe(200);
  });

  it('shows markup from a merchant as plain text', async () => {
    const session = await ui.newSession();
    const markup = '<img src=x onerror=alert(1)>';
    await pay(session, { payerReference: markup, paymentDescription: markup, payerName: markup });
    await ui.open(session, 'payments/payment-1');
    await ui.waitForRecord(markup);
    await waitForCount(page.locator('img'), 0);
    await page.goto(`${session.baseUrl}/_sandbox/console/requests/request-1`);
    await ui.waitForRecord('Initiate payment');
    expect(await page.locator('.json-lines').first().textContent()).toContain(markup);
    await waitForCount(page.locator('img'), 0);
  });
});

it("a merchant's text does not reverse the text beside it", async () => {
  const session = await ui.newSession();
  const reversing = 'turned \u202e around';
  await session.setEndpoints([{ url: ui.receiver.url }]);
  await pay(session, { payerReference: reversing, paymentDescription: reversing, payerName: reversing });
  await session.settle('payment-1', 'Paid');
  await makePayout(session, {
    payerReference: 'PAYOUT-1',
    paymentDescription: reversing,
    debitAccountName: reversing,
  });
  for (const screen of ['payments/payment-1', 'payouts/payout-1', 'requests/request-1', 'deliveries/delivery-1']) {
    await ui.open(session, screen);
    await page.getByTestId('record').waitFor();
    await page.locator('a.row').first().waitFor();
    expect([screen, await page.evaluate(NOT_ISOLATED)]).toEqual([screen, []]);
  }
});

describe('the detail of a request', () => {
  it('names the nearest operation for an unknown path', async () => {
    const session = await ui.newSession();
    await fetch(`${session.baseUrl}/sandbox/init/authenticate/merchant/walet`, { method: 'POST' });
    await ui.open(session, 'requests/request-1');
    await ui.waitForState('404');
    expect(await page.getByTestId('why').textContent()).toContain('/init/authenticate/merchant/wallet');
  });

  it('copies the request with its original body, even if no operation accepts it', async () => {
    const session = await ui.newSession();
    const body = "@a=1&note=it's\n  so";
    await fetch(`${session.baseUrl}/nowhere?x=1`, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body });
    await ui.open(session, 'requests/request-1');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await ui.waitForToast('ready to run');
    await sendPasted(await ui.readClipboard());
    const { items } = await session.list<{ path: string; query: object; body: unknown }>('requests');
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({ path: '/nowhere', query: { x: '1' }, body });
  });

  it('sends the request again after a change, and opens the new request', async () => {
    const session = await ui.newSession();
    await makeRefusedCall(session);
    await ui.open(session, 'requests/request-1');
    await page.getByRole('link', { name: 'Send again' }).click();
    const body = page.getByLabel('Body', { exact: true });
    await page.locator('form[aria-busy=false]').waitFor();
    const sent = { ...JSON.parse(await body.inputValue()), amount: '10.00', payerName: 'Ann Payer' };
    await body.fill(JSON.stringify(sent));
    await body.press('Control+Enter');
    await ui.waitForState('200');
    expect(page.url()).toMatch(/\/traffic\/request-2$/);
    expect((await session.payment('ORDER-1')).state).toBe('Processing');
  });

  it('turns the request into an expectation for a test, and verifies it', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'requests/request-1');
    await page.getByRole('button', { name: 'Show as a test' }).click();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Met: 1 call matches.').waitFor();
    const text = page.getByLabel('Expectation');
    await text.fill((await text.inputValue()).replace('ORDER-1', 'ORDER-2'));
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('0 of 1 calls match').waitFor();
  });

  it('keeps lists in the expectation, but not the merchant key', async () => {
    const session = await ui.newSession();
    await makePayout(session);
    await ui.open(session, 'requests/request-1');
    await page.getByRole('button', { name: 'Show as a test' }).click();
    const { match } = JSON.parse(await page.getByLabel('Expectation').inputValue());
    expect(match.body.dynamicCreditList).toMatchObject([{ creditAmount: 60.5 }, { creditAmount: 40 }]);
    expect(match.body).not.toHaveProperty('merchantKey');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Met: 1 call matches.').waitFor();
  });
});

describe('the composer', () => {
  it('sends calls with a form, a query or neither, and with a token if they require one', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'try');
    for (const [operation, status] of [
      ['Create or update a payment link', '200'],
      ['List banks', '200'],
      ['Get the status of a payment', '404'],
      ['Generate a payment token with a payment', '200'],
    ] as const) {
      await page.locator('a.row').filter({ hasText: operation }).click();
      await ui.waitForRecord(operation);
      await page.getByTestId('send').click();
      await ui.waitForState(status);
      await page.goBack();
    }
  });
});

describe('the clock', () => {
  it("moves by steps, to a given time and to the machine's time, and follows moves made elsewhere", async () => {
    const session = await ui.newSession();
    await ui.open(session, 'payments');
    const waitForClock = (text: string) => page.getByTestId('clock-now').filter({ hasText: text }).waitFor();
    await page.getByRole('button', { name: '+1d' }).click();
    await waitForClock('2026-03-02 10:00:00');
    await page.getByRole('button', { name: 'More about the clock' }).click();
    await page.getByRole('menuitem', { name: 'Move to a time…' }).click();
    await page.getByLabel('Time, in UTC').fill('2026-05-01T12:30:00');
    await page.getByRole('button', { name: 'Move the clock' }).click();
    await waitForClock('2026-05-01 12:30:00');
    await session.advance('PT1H');
    await waitForClock('2026-05-01 13:30:00');
    await page.getByRole('button', { name: 'Clock frozen' }).click();
    await page.getByRole('button', { name: 'Run the clock', exact: true }).click();
    await page.getByRole('button', { name: 'Clock runs' }).waitFor();
    expect((await session.clock()).mode).toBe('real');
  });
});

describe('the scenarios', () => {
  it('show mistakes at their place in the definition, and which rule would have applied', async () => {
    const session = await ui.newSession();
    await pay(session, { amount: '10.00' });
    await ui.open(session, 'scenarios/new scenario');
    await page.getByTestId('trial').filter({ hasText: 'rule 2 would apply' }).waitFor();
    const text = page.getByLabel('Definition', { exact: true }).last();
    const definition = await text.inputValue();
    await text.fill(definition.replace('"Failed"', '"Lost"'));
    await page.getByRole('button', { name: 'Save in this session' }).click();
    const wrong = page.getByTestId('refused').locator('.json-line.wrong');
    expect(await wrong.textContent()).toContain('"outcome": "Lost"');
    await page.getByText('the definition below has 1 mistake').waitFor();
    const [, expectation = ''] = /expected (.*), received/.exec((await wrong.textContent()) ?? '') ?? [];
    await waitForCount(page.getByText(expectation), 1);
    await text.fill(definition.replace('1000', '10'));
    await page.getByTestId('trial').filter({ hasText: 'rule 1 would apply' }).waitFor();
    await page.getByRole('button', { name: 'Save in this session' }).click();
    await ui.waitForRecord('large-payments-fail');
    expect((await session.scenarios()).items.map(({ name }) => name)).toContain('large-payments-fail');
  });

  it('are created with a form that edits the definition, beside the last calls that it would have changed', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1', amount: '10.00' });
    await pay(session, { payerReference: 'ORDER-2', amount: '500.00', walletName: 'WALLET_SWITCH' });
    // An outcome changes nothing in a call that starts no payment.
    await request(session.baseUrl).post('/auth/authenticate/merchant').send(MERCHANT).expect(200);
    await ui.open(session, 'scenarios/auto-approve');
    expect(await page.getByRole('textbox', { name: 'Definition' }).inputValue()).toContain('"after": "3s"');
    await session.defineScenario({ name: 'like-a-duration', description: 'P7D', rules: [] });
    await ui.open(session, 'scenarios/like-a-duration');
    expect(await page.getByRole('textbox', { name: 'Definition' }).inputValue()).toContain('"description": "P7D"');
    const lastCalls = page.getByTestId('last-calls');
    await ui.open(session, 'scenarios/payer-decides');
    await lastCalls.filter({ hasText: 'It is in use, and would have changed none of the last 3 calls' }).waitFor();
    await ui.open(session, 'scenarios/new scenario');
    const changed = () => lastCalls.locator('li').allTextContents();
    await lastCalls
      .filter({ hasText: 'it would have changed 2 of the last 3 calls to the merchant API, request-1 to request-3.' })
      .waitFor();
    await page.getByLabel('Name', { exact: true }).fill('large-ones-fail');
    await page.getByRole('button', { name: 'Remove rule 2' }).click();
    const rule = page.getByRole('group', { name: 'Rule 1' });
    await rule.getByLabel('Amount from').fill('499.99');
    await rule.getByLabel('After').fill('PT1S');
    await rule.getByLabel('After').press('Tab');
    await rule.getByLabel('Notifications').selectOption('Sent twice');
    const words = 'Any call of an amount from 499.99: Failed after 1 s, code 61; notifications duplicate';
    await page.getByText(words).waitFor();
    await lastCalls.filter({ hasText: 'it would have changed 1 of the last 3 calls' }).waitFor();
    expect(await changed()).toEqual(['request-2 ORDER-2: rule 1 would apply']);
    await rule.getByLabel(/^Channel/).selectOption('QR wallet');
    await lastCalls.filter({ hasText: 'it would have changed none of the last 3 calls' }).waitFor();
    await rule.getByLabel('Fault').selectOption('Error status');
    await rule.getByLabel('Status', { exact: true }).fill('502');
    await page.getByRole('button', { name: 'Save in this session' }).click();
    await ui.waitForRecord('large-ones-fail');
    const saved = (await session.scenarios()).items.find(({ name }) => name === 'large-ones-fail');
    expect(saved).toMatchObject({
      rules: [
        {
          when: { amount: { minimum: 499.99 }, channel: 'qr-wallet' },
          settle: { outcome: 'Failed', after: 'PT1S', code: '61' },
          webhook: { mode: 'duplicate' },
          fault: { at: 'before', kind: 'status', status: 502 },
        },
      ],
    });
  });

  it('can be deleted only if this session has its own version of them', async () => {
    const session = await ui.newSession();
    const shipped = (await session.scenarios()).items.find(({ name }) => name === 'declined');
    await session.defineScenario({ name: 'declined', description: 'Ours.', rules: [] });
    await ui.open(session, 'scenarios/auto-approve');
    await ui.waitForRecord('auto-approve');
    await page.getByTestId('trial').or(page.getByText('Make a call')).waitFor();
    const deleteButton = page.getByRole('button', { name: "Delete this session's version" });
    await waitForCount(deleteButton, 0);
    await page.locator('a.row').filter({ hasText: 'Ours.' }).click();
    await deleteButton.click();
    await ui.waitForToast('version of declined was deleted');
    expect((await session.scenarios()).items).toContainEqual(shipped);
  });
});

describe('the deliveries', () => {
  it('are held after a behaviour chosen in the console halts their queue, until it is resumed there', async () => {
    const session = await ui.newSession();
    await session.setEndpoints([{ url: ui.receiver.url }]);
    await ui.open(session, 'deliveries');
    await page.getByRole('button', { name: /Provider: standard$/ }).click();
    await page.getByRole('menuitem', { name: /^queue-halts-after-15-failures/ }).click();
    await page.getByTestId('behaviour').filter({ hasText: 'queue-halts-after-15-failures' }).waitFor();
    ui.receiver.status = 500;
    await pay(session, { payerReference: 'ORDER-1' });
    await session.settle('ORDER-1', 'Paid');
    await session.advance('PT14M');
    await page.locator('a.row').filter({ hasText: 'held' }).waitFor();
    await page.getByRole('link', { name: 'Endpoints' }).click();
    await page.getByText('after 15 failed attempts in a row').waitFor();
    ui.receiver.status = 200;
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('after 15 failed attempts in a row').waitFor({ state: 'detached' });
    await ui.navigate(session, 'traffic?q=kind:delivery');
    await page.locator('a.row').filter({ hasText: 'delivered' }).waitFor();
  });
});

describe('the events', () => {
  it('appear as they happen, each with the call that caused it', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'events');
    await pay(session, { payerReference: 'ORDER-1' });
    await page.locator('a.row').filter({ hasText: 'Payment created' }).click();
    await ui.waitForRecord('Payment created');
    await page.getByRole('link', { name: 'request-1', exact: true }).click();
    await ui.waitForRecord('Initiate payment');
  });
});

describe('the sessions', () => {
  it('can be created by a button if the address names one that does not exist', async () => {
    await ui.open({ baseUrl: `${sandbox.url}/s/console-new` }, 'payments');
    await page.getByText('There is no session console-new').waitFor();
    await page.getByRole('button', { name: 'Create session' }).click();
    await page.getByTestId('first-run').waitFor();
  });
});

describe('the keyboard', () => {
  it('moves through a list, opens and closes records, searches, and switches screens', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await pay(session, { payerReference: 'ORDER-2' });
    await ui.open(session, 'payments');
    await page.locator('a.row').first().waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.press(key);
      }
    };
    await press('j', 'j', 'Enter');
    await ui.waitForRecord('ORDER-1');
    await press('k');
    await ui.waitForRecord('ORDER-2');
    await press('Escape');
    await page.locator('.split:not(.open)').waitFor();
    await press('/');
    await page.keyboard.type('ORDER-1');
    await page.getByTestId('count').filter({ hasText: '1 row' }).waitFor();
    await press('Escape', 'g', 'r');
    await page.getByRole('heading', { name: 'Traffic' }).waitFor();
    await press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await press('Escape', 'Control+k');
    await page.keyboard.type('use declined');
    await press('Enter');
    await page.getByTestId('scenario').filter({ hasText: 'declined' }).waitFor();
  });

  it('keeps the focus on its row when new rows arrive', async () => {
    const session = await ui.newSession();
    await pay(session, { payerReference: 'ORDER-1' });
    await ui.open(session, 'payments');
    await page.locator('a.row').first().focus();
    await pay(session, { payerReference: 'ORDER-2' });
    await page.locator('a.row').nth(1).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('ORDER-1');
  });
});

describe('the connection', () => {
  it('is closed while the page is hidden, and catches up once it is visible', async () => {
    const session = await ui.newSession();
    await ui.open(session, 'overview');
    await page.locator('.live.live').waitFor();
    // Opened after the connection, so that the list is fetched only once: that fetch has ended when the list is shown as empty.
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.getByText('Waiting for the first payment').waitFor();
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await setHidden(true);
    await page.locator('.live.paused').waitFor();
    await pay(session, { payerReference: 'ORDER-1' });
    await waitForCount(page.locator('a.row'), 0);
    await setHidden(false);
    await page.locator('a.row').filter({ hasText: 'ORDER-1' }).waitFor();
  });

  it('reports that the sandbox is gone, reconnects by itself, and then shows only data of the restarted sandbox', async () => {
    const original = await startSandbox();
    await pay(original.client, { payerReference: 'BEFORE' });
    await ui.open({ baseUrl: original.url }, 'payments');
    await page.locator('a.row').filter({ hasText: 'BEFORE' }).waitFor();
    await page.locator('.live.live').waitFor();
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByRole('button', { name: 'Paused' }).waitFor();
    await original.close();
    await page.locator('.live.lost').waitFor();
    const restarted = await startSandbox({ port: Number(new URL(original.url).port) });
    await page.locator('.live.live').waitFor();
    await ui.waitForToast('The sandbox was restarted');
    await pay(restarted.client, { payerReference: 'AFTER' });
    await page.locator('a.row').filter({ hasText: 'AFTER' }).waitFor();
    expect(await textsOf(page.locator('a.row'))).toEqual(['AFTER']);
    await restarted.close();
  });

  it('is shared by all tabs, so that more tabs are live than a browser has connections', async () => {
    const session = await ui.newSession();
    const pages = await Promise.all(Array.from({ length: 7 }, () => ui.openTab()));
    await Promise.all(pages.map((tab) => tab.goto(`${session.baseUrl}/_sandbox/console/payments`)));
    await Promise.all(pages.map((tab) => tab.locator('.live.live').waitFor()));
    await pay(session, { payerReference: 'ORDER-1' });
    await Promise.all(pages.map((tab) => tab.locator('a.row').filter({ hasText: 'ORDER-1' }).waitFor()));
    await Promise.all(pages.map((tab) => tab.close()));
  });
});

it('a list holds new rows back while it is paused', async () => {
  const session = await ui.newSession();
  await pay(session, { payerReference: 'ORDER-1' });
  await ui.open(session, 'payments');
  await page.locator('a.row').waitFor();
  await page.keyboard.press('f');
  await pay(session, { payerReference: 'ORDER-2' });
  await page.getByRole('button', { name: 'Show 1 new row' }).click();
  expect(await textsOf(page.locator('a.row'))).toEqual(['ORDER-2', 'ORDER-1']);
});

it('a paused list shows the newest page when it is resumed, if more calls were held back than fit on a page', async () => {
  const session = await ui.newSession();
  const call = () => fetch(`${session.baseUrl}/nowhere`, { method: 'POST' });
  await call();
  await ui.open(session, 'traffic?q=kind:request');
  await waitForCount(page.locator('.list a.row'), 1);
  await page.keyboard.press('f');
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Held, so that all calls arrive before the list is fetched again.
  await page.route(/limit=50/, (route) => isReleased.then(() => route.continue()));
  await Promise.all(Array.from({ length: 60 }, call));
  release();
  await page.getByRole('button', { name: /^Show \d+ new rows$/ }).click();
  await page.getByRole('button', { name: 'Show older rows' }).click();
  await waitForCount(page.locator('.list a.row'), 61);
});
