import { createRequire } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';

const require = createRequire(import.meta.url);

/** Width and height of the image. Source: reference, section 10. */
const SIZE_PIXELS = 300;
/** Fixed, because scanners read every mask, and comparing all eight takes longer than everything else. */
const MASK = 2;
const FILTER_NONE = 0;
const FILTER_UP = 2;
/** Bytes of a row: its filter and its pixels, one bit each. */
const ROW_BYTES = 1 + Math.ceil(SIZE_PIXELS / 8);
/** Eight light pixels. */
const LIGHT = 0xff;
/** Light modules around the code that scanners need. */
const QUIET_ZONE = 4;
/** Light modules around the code in a terminal, where two are enough, so that the code is narrow. */
const TERMINAL_MARGIN = 2;
/** Uses little memory for each image, because allocating more takes longer than the compression. */
const COMPRESSION = { level: 3, windowBits: 12, memLevel: 5, chunkSize: 1024 };
/** The characters for two modules. The index is 2 for a light upper one, plus 1 for a light lower one. */
const HALVES = [' ', '▄', '▀', '█'];

/**
 * A QR code of a text as a bare base64 PNG, 300 × 300. The library encodes; the image is packed here as one bit per pixel,
 * which is much faster than drawing it in colour.
 */
export function qrImage(text: string): string {
  const modules = modulesOf(text);
  const scale = Math.floor(SIZE_PIXELS / (modules.size + 2 * QUIET_ZONE));
  const margin = Math.floor((SIZE_PIXELS - scale * modules.size) / 2);
  // Most rows are equal to the previous one: PNG's filter "up" makes them all zeros, which are compressed very fast.
  rows.fill(0);
  for (let y = 0; y < SIZE_PIXELS; y += 1) {
    rows[y * ROW_BYTES] = FILTER_UP;
  }
  const drawLightRow = (y: number) => {
    rows[y * ROW_BYTES] = FILTER_NONE;
    rows.fill(LIGHT, y * ROW_BYTES + 1, (y + 1) * ROW_BYTES);
  };
  drawLightRow(0);
  for (let row = 0; row < modules.size; row += 1) {
    const y = margin + row * scale;
    drawLightRow(y);
    const dark = modules.data.subarray(row * modules.size, (row + 1) * modules.size);
    drawModules(y * ROW_BYTES + 1, dark, { scale, margin });
  }
  drawLightRow(margin + modules.size * scale);
  return Buffer.concat([beginning, chunk('IDAT', deflateSync(rows, COMPRESSION)), end]).toString('base64');
}

/** A QR code of a text as an SVG, to print in any size: one unit for each module. */
export function qrSvg(text: string): string {
  const { size, data } = modulesOf(text);
  const rows = Array.from({ length: size }, (_, row) => data.subarray(row * size, (row + 1) * size));
  const dark = rows.flatMap((row, y) =>
    [...row].flatMap((module, x) => (module ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  );
  const side = size + 2 * QUIET_ZONE;
  const light = `<path fill="#fff" d="M0 0h${side}v${side}H0z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">${light}<path d="${dark.join('')}"/></svg>`;
}

/** A QR code of a text as lines, in which a character shows two modules. Light modules are drawn, for dark terminals. */
export function qrLines(text: string): string[] {
  const { size, data } = modulesOf(text);
  const isLight = (row: number, column: number) =>
    row < 0 || row >= size || column < 0 || column >= size || data[row * size + column] === 0;
  const last = size + TERMINAL_MARGIN;
  const lines: string[] = [];
  for (let row = -TERMINAL_MARGIN; row < last; row += 2) {
    let line = '';
    for (let column = -TERMINAL_MARGIN; column < last; column += 1) {
      line += HALVES[Number(isLight(row, column)) * 2 + Number(row + 1 < last && isLight(row + 1, column))];
    }
    lines.push(line);
  }
  return lines;
}

function modulesOf(text: string) {
  const { create }: typeof import('qrcode') = require('qrcode');
  return create([{ data: Buffer.from(text), mode: 'byte' }], { errorCorrectionLevel: 'M', maskPattern: MASK }).modules;
}

/** Draws one line of modules. `begin`: the index of the line's first byte. */
function drawModules(begin: number, dark: Uint8Array, { scale, margin }: { scale: number; margin: number }): void {
  const light = (1 << scale) - 1;
  let at = begin + (margin >> 3);
  let bits = (1 << (margin & 7)) - 1;
  let bitCount = margin & 7;
  for (const module of dark) {
    bits = (bits << scale) | (module ? 0 : light);
    bitCount += scale;
    while (bitCount >= 8) {
      bitCount -= 8;
      rows[at] = bits >> bitCount;
      at += 1;
    }
    bits &= (1 << bitCount) - 1;
  }
  const missing = 8 - bitCount;
  rows[at] = (bits << missing) | ((1 << missing) - 1);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The pixels of an image; the buffer is reused for each one. */
const rows = Buffer.alloc(ROW_BYTES * SIZE_PIXELS);
const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE_PIXELS, 0);
header.writeUInt32BE(SIZE_PIXELS, 4);
header[8] = 1; // one bit per pixel, greyscale
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const beginning = Buffer.concat([signature, chunk('IHDR', header)]);
const end = chunk('IEND', Buffer.alloc(0));
