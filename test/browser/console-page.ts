import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { SandboxClient } from '../../src/client/client.ts';
import type { Examiner } from '../../src/server/control-api/examiner.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { openBrowser } from './browser.ts';

/** Longer than any step takes, even on a busy machine. */
const TIMEOUT_MS = 60_000;
export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

interface WindowOptions {
  viewport?: typeof PHONE;
  colorScheme?: 'dark' | 'light';
}

/** A console under test: a sandbox with a webhook receiver, and a browser with one page, shared by all tests of a file. */
export class ConsolePage {
  readonly sandbox: Sandbox;
  readonly page: Page;
  /** A receiver of notifications, and the status of its answers. */
  readonly receiver: { url: string; status: number };
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  /** Errors and policy violations of pages, and their requests to other servers. */
  readonly #problems: string[];
  readonly #closeReceiver: () => void;
  #sessions = 0;

  private constructor(parts: {
    sandbox: Sandbox;
    page: Page;
    browser: Browser;
    receiver: ConsolePage['receiver'];
    closeReceiver: () => void;
    problems: string[];
  }) {
    this.sandbox = parts.sandbox;
    this.page = parts.page;
    this.receiver = parts.receiver;
    this.#browser = parts.browser;
    this.#context = parts.page.context();
    this.#closeReceiver = parts.closeReceiver;
    this.#problems = parts.problems;
  }

  /** With an examiner, the sandbox is started from its sources, because the built program accepts none. */
  static async start(examiner?: Examiner): Promise<ConsolePage> {
    const settings = { now: Date.parse('2026-03-01T10:00:00.000Z') };
    const sandbox = examiner
      ? await (await import('../../src/start-with.ts')).startWith({ examiner }, settings)
      : await startSandbox(settings);
    const browser = await openBrowser();
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(TIMEOUT_MS);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const receiver = { url: '', status: 200 };
    const server = createServer((_request, response) => {
      response.statusCode = receiver.status;
      response.end('taken');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const problems: string[] = [];
    const page = await openTab(context, problems);
    return new ConsolePage({ sandbox, page, browser, receiver, closeReceiver: () => server.close(), problems });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.sandbox.close();
    this.#closeReceiver();
  }

  /** Clears the local storage, so that tests are independent; throws if a page had a problem. */
  async finishTest(): Promise<void> {
    await this.page.evaluate('localStorage.clear()');
    const problems = this.#problems.splice(0);
    if (problems.length > 0) {
      throw new Error(problems.join('\n'));
    }
  }

  openTab(): Promise<Page> {
    return openTab(this.#context, this.#problems);
  }

  async newSession(): Promise<SandboxClient> {
    this.#sessions += 1;
    const session = this.sandbox.session(`console-${this.#sessions}`);
    await session.reset();
    return session;
  }

  async open({ baseUrl }: { baseUrl: string }, screen: string, options: WindowOptions = {}): Promise<void> {
    const { viewport = DESKTOP, colorScheme = 'light' } = options;
    await Promise.all([this.page.setViewportSize(viewport), this.page.emulateMedia({ colorScheme })]);
    await this.page.goto(`${baseUrl}/_sandbox/console/${screen}`);
  }

  /** Navigates the open console to another screen, as a link in it does. */
  async navigate({ baseUrl }: { baseUrl: string }, screen: string): Promise<void> {
    const path = JSON.stringify(`${baseUrl}/_sandbox/console/${screen}`);
    await this.page.evaluate(`history.pushState(null, '', ${path}); dispatchEvent(new PopStateEvent('popstate'))`);
  }

  async navigateAndWait(session: { baseUrl: string }, screen: string): Promise<void> {
    await this.navigate(session, screen);
    await this.waitUntilLoaded();
  }

  async waitUntilLoaded(): Promise<void> {
    await this.page.locator('main :is(h1, h2, .empty-title)').first().waitFor({ state: 'attached' });
    await this.page.locator('main[aria-busy=false]:not(:has([aria-busy=true]))').waitFor();
  }

  /** Every screen that the console links to by its tabs and their groups, each followed by the first record of its list. */
  async listScreens(session: { baseUrl: string }): Promise<string[]> {
    await this.open(session, 'payments');
    const hrefs = async (links: string) =>
      (await this.page
        .locator(links)
        .evaluateAll((anchors) =>
          anchors.map((link) => new URL((link as unknown as { href: string }).href).pathname),
        )) as string[];
    await this.page.locator('.tab').first().waitFor();
    const paths = new Set(await hrefs('.tab:not(.docs)'));
    const screens: string[] = [];
    // The loop adds the screens of each group to the set that it iterates.
    for (const path of paths) {
      const screen = path.split('/_sandbox/console/')[1] ?? '';
      await this.navigateAndWait(session, screen);
      for (const other of await hrefs('a.kind')) {
        paths.add(other);
      }
      const [first] = await hrefs('.list a.row');
      screens.push(screen, ...(first === undefined ? [] : [first.split('/_sandbox/console/')[1] ?? '']));
    }
    return screens;
  }

  waitForRecord(name: string): Promise<void> {
    return this.page.getByTestId('record').filter({ hasText: name }).waitFor();
  }

  waitForState(state: string): Promise<void> {
    return this.page.getByTestId('record-state').filter({ hasText: state }).waitFor();
  }

  waitForToast(text: string): Promise<void> {
    return this.page.getByTestId('toast').filter({ hasText: text }).waitFor();
  }

  readClipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()') as Promise<string>;
  }
}

async function openTab(context: BrowserContext, problems: string[]): Promise<Page> {
  const tab = await context.newPage();
  tab.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  tab.on('console', (message) => message.text().includes('Content Security Policy') && problems.push(message.text()));
  tab.on('request', (request) => {
    if (/^https?:/.test(request.url()) && new URL(request.url()).hostname !== '127.0.0.1') {
      problems.push(request.url());
    }
  });
  return tab;
}
