import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseOptions } from '../scripts/exchanges.mjs';

/** Sends the request of a curl command. A shell parses it; curl itself is replaced, because not every machine has it. */
export async function sendPasted(command: string): Promise<Response> {
  const curl = `curl() { printf '%s\\0' "$@"; }`;
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl}\n${command}`]);
  const { url, method, headers, body = null } = parseOptions(stdout.split('\0').slice(0, -1));
  return fetch(url, { method, headers, body });
}
