// A node of a cluster, as a separate process with its own proxy to PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { startProxy } from './proxy.mjs';

/** Milliseconds between two attempts to start while PostgreSQL is down. */
const RETRY_MS = 200;

export class SandboxNode {
  #program;
  #lease;
  #onError;
  #onEnd;
  #child;
  #isWanted = false;

  constructor(name, proxy, { program, lease, onError, onEnd }) {
    this.name = name;
    this.proxy = proxy;
    this.url = undefined;
    this.#program = program;
    this.#lease = lease;
    this.#onError = onError;
    this.#onEnd = onEnd;
  }

  static async start(name, database, options) {
    const node = new SandboxNode(name, await startProxy(database), options);
    await node.start();
    return node;
  }

  /** Retries until it is ready, because PostgreSQL may be down. */
  async start() {
    this.#isWanted = true;
    while (!(await this.#tryToStart())) {
      await delay(RETRY_MS);
    }
  }

  async kill() {
    await this.#end('SIGKILL');
  }

  /** Ends the node like a rolling restart. */
  async terminate() {
    await this.#end('SIGTERM');
  }

  pause() {
    this.#child.kill('SIGSTOP');
  }

  resume() {
    this.#child.kill('SIGCONT');
  }

  async remove() {
    if (this.#isWanted) {
      await this.kill();
    }
    this.proxy.close();
  }

  async #end(signal) {
    this.#isWanted = false;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }

  /** Reports error lines, without times and stack traces. */
  #reportError(line) {
    if (!/^\[[\d:.]+\]|^\s/.test(line)) {
      this.#onError(line);
    }
  }

  async #tryToStart() {
    const settings = [
      '--port',
      '0',
      '--data',
      this.proxy.url,
      '--node-lease',
      `PT${this.#lease / 1000}S`,
      '--print-url',
    ];
    const args = [this.#program, 'start', ...settings, '--quiet', '--log-level', 'error'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const [output, errors] = [createInterface({ input: child.stdout }), createInterface({ input: child.stderr })];
    const ended = once(child, 'exit');
    const killWithParent = () => child.kill('SIGKILL');
    process.on('exit', killWithParent);
    ended.then(() => process.off('exit', killWithParent));
    const ready = once(output, 'line').then(([line]) => line);
    const url = await Promise.race([ready, ended.then(() => undefined)]);
    if (url === undefined) {
      return false;
    }
    this.url = url;
    errors.on('line', (line) => this.#reportError(line));
    ended.then(([code, signal]) => {
      if (this.#isWanted && this.#child === child) {
        this.#onEnd(`node ${this.name} ended by itself (${code ?? signal})`);
      }
    });
    return true;
  }
}
