import { spawn } from 'node:child_process';
import { platform } from '../base/platform.ts';

/** Whether a person can be shown a page: not where the output goes to a file, nor in CI. */
export function canShowPages(): boolean {
  return process.stdout.isTTY === true && !process.env['CI'];
}

/** Opens an address by the platform's own opener. */
export function openInBrowser(address: string): void {
  const [program, ...args] = platform.opener;
  const opener = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  opener.on('error', () => undefined);
  opener.unref();
}
