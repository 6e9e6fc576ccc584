export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/**
 * The type of an image by its first bytes, regardless of the declared type; null for anything else, such as a head that is
 * cut off or declares a width of 0. Source: ours (PNG, JPEG, GIF and WebP are accepted).
 */
export function imageMediaType(bytes: Uint8Array): ImageMediaType | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 32));
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) {
    return isPng(head, text) ? 'image/png' : null;
  }
  if (text.startsWith('\xff\xd8')) {
    return isJpeg(head) ? 'image/jpeg' : null;
  }
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) {
    return isGif(head) ? 'image/gif' : null;
  }
  return text.startsWith('RIFF') && isWebP(head, text, bytes.byteLength) ? 'image/webp' : null;
}

/** The first chunk is the header, with width and height. */
function isPng(head: Buffer, text: string): boolean {
  return (
    text.startsWith('\0\0\0\rIHDR', 8) && head.length >= 24 && head.readUInt32BE(16) > 0 && head.readUInt32BE(20) > 0
  );
}

/** A segment follows the start marker: its marker, and a length that counts itself. */
function isJpeg(head: Buffer): boolean {
  return (
    head.length >= 6 && head[2] === 0xff && (head[3] ?? 0) >= 0xc0 && (head[3] ?? 0) < 0xff && head.readUInt16BE(4) >= 2
  );
}

function isGif(head: Buffer): boolean {
  return head.length >= 13 && head.readUInt16LE(6) > 0 && head.readUInt16LE(8) > 0;
}

/** The container declares its length, and its first chunk has one of three types. */
function isWebP(head: Buffer, text: string, length: number): boolean {
  return (
    head.length >= 20 &&
    /^VP8[ LX]$/.test(text.slice(12, 16)) &&
    text.startsWith('WEBP', 8) &&
    head.readUInt32LE(4) + 8 <= length
  );
}
