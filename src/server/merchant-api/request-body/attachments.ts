/** Maximum size of a part's head, as in the form parser. */
const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const DISPOSITION = /^(content-disposition[ \t]*:[ \t]*)attachment(?=[ \t]*(?:;|\r|$))/im;

/**
 * A multipart body whose parts call themselves `attachment`, with each of them called `form-data` instead, and how many
 * there were. Only the heads of parts are touched: the same words inside a part's content stay, whatever its bytes are.
 */
export function renameAttachments(bytes: Buffer, boundary: string): { bytes: Buffer; renamed: number } {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let after = firstPart(bytes, delimiter); after !== -1 && !hasAt(bytes, '--', after); ) {
    const following = bytes.indexOf(delimiter, after);
    const most = Math.min(after + MAX_HEAD_BYTES, following === -1 ? bytes.length : following + 2);
    const head = hasAt(bytes, '\r\n', after) ? headOf(bytes.toString('latin1', after, most)) : '';
    const renamed = head.replace(DISPOSITION, '$1form-data');
    if (renamed !== head) {
      pieces.push(bytes.subarray(copied, after), Buffer.from(renamed, 'latin1'));
      copied = after + head.length;
    }
    after = following === -1 ? -1 : following + delimiter.length;
  }
  return { bytes: Buffer.concat([...pieces, bytes.subarray(copied)]), renamed: pieces.length / 2 };
}

/** End of the first delimiter, or -1; at the very start of the body it needs no line end before it. */
function firstPart(bytes: Buffer, delimiter: Buffer): number {
  const bare = delimiter.subarray(2);
  if (bytes.subarray(0, bare.length).equals(bare)) {
    return bare.length;
  }
  const start = bytes.indexOf(delimiter);
  return start === -1 ? -1 : start + delimiter.length;
}

function headOf(text: string): string {
  const end = text.indexOf(HEAD_END);
  return end === -1 ? '' : text.slice(0, end);
}

function hasAt(bytes: Buffer, text: string, at: number): boolean {
  return bytes[at] === text.charCodeAt(0) && bytes[at + 1] === text.charCodeAt(1);
}
