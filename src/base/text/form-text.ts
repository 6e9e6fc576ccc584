import { isUtf8 } from 'node:buffer';
import { Refusal } from '../refusal.ts';

const ENCODED_BYTE = /%([0-9a-f]{2})/gi;

/** Throws a Refusal that names the first field that is not in UTF-8, because decoding would replace its bytes. `encoded`: a URL-encoded text with one character per byte. */
export function checkFormText(encoded: string): void {
  if (!/[%\x80-\xff]/.test(encoded)) {
    return;
  }
  for (const field of encoded.split('&')) {
    const [name = ''] = field.split('=');
    if (!isUtf8(bytesOf(field))) {
      throw notUtf8Refusal(new URLSearchParams(name).keys().next().value ?? '');
    }
  }
}

/** Like `checkFormText`, for the query of an address. */
export function checkQueryText(address: string): void {
  const mark = address.indexOf('?');
  if (mark !== -1) {
    checkFormText(address.slice(mark + 1));
  }
}

export function notUtf8Refusal(field: string, what = 'the field'): Refusal {
  return new Refusal('malformed-body', `${what} ${JSON.stringify(field.slice(0, 60))} is not valid UTF-8`);
}

function bytesOf(encoded: string): Buffer {
  return Buffer.from(
    encoded.replace(ENCODED_BYTE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
