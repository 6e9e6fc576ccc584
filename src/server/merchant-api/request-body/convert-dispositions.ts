/** Maximum size of a part's head, as in the form parser. */
const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const DISPOSITION = /^(content-disposition[ \t]*:[ \t]*)attachment(?=[ \t]*(?:;|\r|$))/im;

/**
 * The multipart body with the disposition `form-data` in each part that had `attachment`, and the count of these parts.
 * Only heads of parts are changed, because the content of a part may contain the same words.
 */
export function convertDispositions(bytes: Buffer, boundary: string): { bytes: Buffer; count: number } {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  /** For each converted head, the unchanged bytes before it, and the head. */
  const pieces: Buffer[] = [];
  let copiedUntil = 0;
  for (let start = firstPartStart(bytes, delimiter); start !== -1 && !hasAt(bytes, '--', start); ) {
    const nextDelimiter = bytes.indexOf(delimiter, start);
    const headLimit = Math.min(start + MAX_HEAD_BYTES, nextDelimiter === -1 ? bytes.length : nextDelimiter + 2);
    const head = hasAt(bytes, '\r\n', start) ? headOf(bytes.toString('latin1', start, headLimit)) : '';
    const convertedHead = head.replace(DISPOSITION, '$1form-data');
    if (convertedHead !== head) {
      pieces.push(bytes.subarray(copiedUntil, start), Buffer.from(convertedHead, 'latin1'));
      copiedUntil = start + head.length;
    }
    start = nextDelimiter === -1 ? -1 : nextDelimiter + delimiter.length;
  }
  return { bytes: Buffer.concat([...pieces, bytes.subarray(copiedUntil)]), count: pieces.length / 2 };
}

/** Offset after the first delimiter, or -1. At the start of the body it has no line end before it. */
function firstPartStart(bytes: Buffer, delimiter: Buffer): number {
  const bare = delimiter.subarray(2);
  if (bytes.subarray(0, bare.length).equals(bare)) {
    return bare.length;
  }
  const first = bytes.indexOf(delimiter);
  return first === -1 ? -1 : first + delimiter.length;
}

function headOf(text: string): string {
  const end = text.indexOf(HEAD_END);
  return end === -1 ? '' : text.slice(0, end);
}

function hasAt(bytes: Buffer, text: string, at: number): boolean {
  return bytes[at] === text.charCodeAt(0) && bytes[at + 1] === text.charCodeAt(1);
}
