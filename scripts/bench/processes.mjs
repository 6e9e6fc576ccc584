// Servers and load generators as processes, each pinned to a core if the machine supports it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { timesOf } from '../processor-time.mjs';

/** Answers each message with the memory of the process after a full garbage collection. */
const PROBE = new URL('../soak/probe.mjs', import.meta.url).href;

const canPin = spawnSync('taskset', ['-c', '1', 'true']).status === 0;
const running = new Set();
process.on('exit', () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
});

function start(core, args, stdio) {
  const [program, all] = canPin
    ? ['taskset', ['-c', String(core), process.execPath, ...args]]
    : [process.execPath, args];
  const child = spawn(program, all, { stdio });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Starts a server on core 0; resolves when it is ready, with its address and a function that stops it. The address is the first http
 * address that it prints; if one is given, resolves as soon as that answers.
 */
export async function startServer(args, { isProbed = false, address } = {}) {
  const probe = isProbed ? ['--expose-gc', '--import', PROBE] : [];
  const child = start(0, [...probe, ...args], ['ignore', 'pipe', 'inherit', ...(isProbed ? ['ipc'] : [])]);
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`${args.join(' ')} ended with ${code}`);
  });
  const printed = printedAddress(child);
  const url = await Promise.race([exit, address === undefined ? printed : waitForAnswer(address)]);
  exit.catch(() => undefined);
  const endBy = async (signal) => {
    child.kill(signal);
    await once(child, 'exit');
  };
  const status = (name) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  return {
    url,
    /** Resident memory in MB, now and at most. */
    memory: () => status('VmRSS'),
    peakMemory: () => status('VmHWM'),
    /** Seconds of processor time that it has used so far. */
    processorTime: () => timesOf(child.pid).own,
    /** Bytes on the heap, without garbage. */
    async heap() {
      child.send('sample');
      const [{ heap }] = await once(child, 'message');
      return heap;
    },
    stop: () => endBy('SIGTERM'),
    kill: () => endBy('SIGKILL'),
  };
}

function printedAddress(child) {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
      if (url) {
        resolve(url);
      }
    });
  });
}

async function waitForAnswer(address) {
  for (;;) {
    try {
      await (await fetch(address)).text();
      return address;
    } catch {
      await delay(20);
    }
  }
}

function startGenerator(script, options) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = start(1, [file, JSON.stringify(options)], ['ignore', 'pipe', 'inherit']);
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const result = once(child, 'close').then(() => {
    const { failed, ...measured } = JSON.parse(text);
    if (failed > 0) {
      throw new Error(`${failed} requests of the load on ${options.url} failed`);
    }
    return measured;
  });
  return { result, stop: () => child.kill('SIGTERM') };
}

/** Sends as many requests as possible, from core 1. */
export function load(options) {
  return startGenerator('load.mjs', options).result;
}

/** Payments at a steady rate, from core 1, for the given seconds or until it is stopped. */
export function startSteadyLoad(options) {
  return startGenerator('steady-load.mjs', options);
}
