import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { temporaryFolders } from '../temporary-folder.ts';
import { AXE, violationsOn } from './axe.ts';
import { openBrowser } from './browser.ts';

/** A page that was opened from a file, as users open a saved report. */
export interface FilePage {
  page: Page;
  browser: Browser;
  address: string;
  /** The addresses that it has requested. */
  requests: string[];
}

const newFolder = temporaryFolders();

export async function openFilePage(html: string): Promise<FilePage> {
  const file = join(newFolder(), 'page.html');
  const address = pathToFileURL(file).href;
  const requests: string[] = [];
  writeFileSync(file, html);
  const browser = await openBrowser();
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address);
  return { page, browser, address, requests };
}

/** Checks that a page with all details open is accessible, in light and dark, and not wider than the window. */
export async function expectAccessible(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  await page.evaluate(AXE);
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
}
