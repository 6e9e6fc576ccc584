import { spawn } from 'node:child_process';

/** Whether a person can be shown a page: not where the output goes to a file, nor in CI. */
export function canShowPages(): boolean {
  return process.stdout.isTTY === true && !process.env['CI'];
}

/** Opens an address by the platform's own opener, and never by a shell, which would act on what is in it. */
export function openInBrowser(address: string): void {
  const [program, ...args] = openerOf(process.platform);
  const opener = spawn(program, [...args, address], { detached: true, stdio: 'ignore' });
  opener.on('error', () => undefined);
  opener.unref();
}

/** The program that opens an address, which is its last argument. */
export function openerOf(platform: NodeJS.Platform): [string, ...string[]] {
  switch (platform) {
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler'];
    case 'darwin':
      return ['open'];
    default:
      return ['xdg-open'];
  }
}
