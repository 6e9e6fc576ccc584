import { spawn } from 'node:child_process';
import { platform } from '../base/platform.ts';

export function canOpenBrowser(): boolean {
  return process.stdout.isTTY === true && !process.env['CI'];
}

export function openInBrowser(address: string): void {
  const [program, ...args] = platform.opener;
  const opener = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  opener.on('error', () => undefined);
  opener.unref();
}
