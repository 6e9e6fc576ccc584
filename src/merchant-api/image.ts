/** What an image is by its first bytes; null for anything else. Source: ours (PNG, JPEG, GIF and WebP are taken). */
export function imageKind(bytes: Uint8Array): 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 16)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) {
    return 'image/png';
  }
  if (start.startsWith('\xff\xd8\xff')) {
    return 'image/jpeg';
  }
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) {
    return 'image/gif';
  }
  return start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP' ? 'image/webp' : null;
}
