import { readFileSync } from 'node:fs';
import { PUBLIC_URL, parseCommand } from '../../scripts/exchanges.mjs';

/** The request that curl sends for a command, with this base address in place of the one in the command. */
export function requestOf(command: string, base: string): Request {
  const { url, method, headers, body, form } = parseCommand(command);
  return new Request(url.replace(PUBLIC_URL, base), { method, headers, body: form ? formOf(form) : (body ?? null) });
}

function formOf(parts: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    const [, file, type = ''] = /^@(.+);type=(.+)$/.exec(value) ?? [];
    form.set(name, file ? new File([readFileSync(file)], 'picture.png', { type }) : value);
  }
  return form;
}
