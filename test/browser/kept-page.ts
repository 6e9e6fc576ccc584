import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { temporaryFolders } from '../temporary-folder.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser } from './browser.ts';

/** A page that was opened from a file, as users open a saved report. */
export interface KeptPage {
  page: Page;
  browser: Browser;
  address: string;
  /** The addresses that it has requested. */
  asked: string[];
}

const folderOf = temporaryFolders();

export async function openKeptPage(html: string): Promise<KeptPage> {
  const file = join(folderOf(), 'page.html');
  const address = pathToFileURL(file).href;
  const asked: string[] = [];
  writeFileSync(file, html);
  const browser = await openBrowser();
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address);
  return { page, browser, address, asked };
}

/** Checks accessibility at a window size, in light and dark, with all details open. */
export async function expectFitForEveryone(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  await page.evaluate(AXE);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
}
