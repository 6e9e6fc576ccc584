import { spawn } from 'node:child_process';
import { platform } from '../base/platform.ts';

/** Whether a browser may be opened: only if the output goes to a terminal, and not in CI. */
export function canOpenBrowser(): boolean {
  return process.stdout.isTTY === true && !process.env['CI'];
}

/** Opens an address in the default browser. */
export function openInBrowser(address: string): void {
  const [program, ...args] = platform.opener;
  const opener = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  opener.on('error', () => undefined);
  opener.unref();
}
