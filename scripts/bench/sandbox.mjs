// Starts the built program for benchmarks, calls it, and creates data files with many payments.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MOBILE_MONEY, WALLET } from './payment.mjs';
import { load, startServer } from './processes.mjs';

/** `program` is the built cli.js, this build's or another's. */
export const programArgs = (program, data, ...flags) => [
  ...[program, 'start', '--port', '0', '--data', data, '--log-level', 'error'],
  ...flags,
];

export const sandboxArgs = (data, ...flags) => programArgs('dist/cli.js', data, ...flags);

export function startSandbox(data, ...flags) {
  return startServer(sandboxArgs(data, ...flags));
}

/** Starts it with the option to measure its memory; its request log is small, so that it is full before any measurement. */
export function startProbedSandbox(data, ...flags) {
  return startServer(sandboxArgs(data, '--request-log-size', '2', ...flags), { isProbed: true });
}

/** Resolves with the answer's text and its duration in milliseconds. Throws if the call was refused. */
export async function call(url, method, body, headers = {}) {
  const started = performance.now();
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
  });
  const text = await answer.text();
  const milliseconds = performance.now() - started;
  if (!answer.ok) {
    throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
  }
  return { text, milliseconds };
}

export async function callJson(url, method, body, headers) {
  const { text } = await call(url, method, body, headers);
  return JSON.parse(text);
}

/** Stores the given number of mobile money payments, over ten connections. */
export function store(url, amount) {
  return load({ url: `${url}${WALLET}`, body: MOBILE_MONEY, amount });
}

/** Data folders by the number of their payments. Each is created once in a run, the larger from the smaller. */
const foldersByCount = new Map();

async function folderOf(folder, count) {
  const existing = foldersByCount.get(count);
  if (existing !== undefined) {
    return existing;
  }
  const newFolder = join(folder, `stored-${count}`);
  const smaller = Math.max(0, ...[...foldersByCount.keys()].filter((number) => number < count));
  if (smaller > 0) {
    cpSync(foldersByCount.get(smaller), newFolder, { recursive: true });
  }
  const sandbox = await startSandbox(join(newFolder, 'state.json'));
  await store(sandbox.url, count - smaller);
  await sandbox.stop();
  foldersByCount.set(count, newFolder);
  return newFolder;
}

/** Calls back with the path of a new data file with the given number of payments, and removes it afterwards. */
export async function withStored(folder, count, use) {
  const dataFolder = mkdtempSync(join(folder, 'data-'));
  try {
    if (count > 0) {
      cpSync(await folderOf(folder, count), dataFolder, { recursive: true });
    }
    return await use(join(dataFolder, 'state.json'));
  } finally {
    rmSync(dataFolder, { recursive: true });
  }
}

export const withCommas = (count) => count.toLocaleString('en');
