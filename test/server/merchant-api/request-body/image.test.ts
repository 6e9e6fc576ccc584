import fc from 'fast-check';
import { PNG as Picture } from 'pngjs';
import { imageMediaType } from '../../../../src/server/merchant-api/request-body/image.ts';
import { cases } from '../../../cases.ts';

const png = Picture.sync.write(new Picture({ width: 2, height: 1 }));
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

describe('the media type of an image', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/gif', gif],
    ['image/gif', Buffer.concat([Buffer.from('GIF87a'), gif.subarray(6)])],
    ['image/webp', webp],
  ])('is detected as %s from its content', (kind, bytes) => {
    expect(imageMediaType(bytes)).toBe(kind);
  });

  it('is found in a part of a buffer, and with more bytes after the image', () => {
    const around = Buffer.concat([Buffer.alloc(7), png, Buffer.alloc(100)]);
    expect(imageMediaType(around.subarray(7))).toBe('image/png');
    expect(imageMediaType(new Uint8Array(around.buffer, around.byteOffset + 7, png.length))).toBe('image/png');
    expect(imageMediaType(around)).toBeNull();
  });

  const withBytes = (bytes: Buffer, at: number, ...put: number[]) => {
    const copy = Buffer.from(bytes);
    copy.set(put, at);
    return copy;
  };
  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['markup', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['only a PNG signature', png.subarray(0, 8)],
    ['a PNG with another first chunk', withBytes(png, 12, 0x50)],
    ['a PNG without width', withBytes(png, 16, 0, 0, 0, 0)],
    ['a PNG without height', withBytes(png, 20, 0, 0, 0, 0)],
    ['only a JPEG start marker', jpeg.subarray(0, 3)],
    ['a JPEG start marker before a text', Buffer.from('\xff\xd8hello there', 'latin1')],
    ['a JPEG segment that has no length', withBytes(jpeg, 4, 0, 1)],
    ['only a GIF signature', Buffer.from('GIF89a')],
    ['a GIF without width', withBytes(gif, 6, 0, 0)],
    ['a GIF of another version', Buffer.concat([Buffer.from('GIF90a'), gif.subarray(6)])],
    ['a RIFF file of another type', withBytes(webp, 8, 0x41, 0x56, 0x49, 0x20)],
    ['a WebP with an unknown first chunk', withBytes(webp, 15, 0x39)],
    ['a WebP that is cut off', webp.subarray(0, webp.length - 1)],
    ['a bitmap', Buffer.from('BM6\0\0\0\0\0\0\0')],
  ])('is null for %s', (_title, bytes) => {
    expect(imageMediaType(bytes)).toBeNull();
  });

  it('is null for an incomplete beginning, and no bytes cause an error', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(png, jpeg, gif, webp),
        fc.nat(11),
        fc.uint8Array({ maxLength: 8 }),
        (image, length, noise) => {
          expect(() => imageMediaType(Buffer.concat([image.subarray(0, length), noise]))).not.toThrow();
          expect(imageMediaType(image.subarray(0, length % 6))).toBeNull();
        },
      ),
      { numRuns: cases(100) },
    );
  });
});
