/** A part of a multipart form, with its content as bytes. */
export interface RawPart {
  name: string;
  /** Undefined for a text field. */
  fileName: string | undefined;
  contentType: string;
  content: Buffer;
}

/** The head of a part, with the end of the boundary line before it. */
const PART = /^[ \t]*\r?\n((?:[^\r\n]+\r?\n)*)\r?\n/;
const DISPOSITION = /^content-disposition:\s*[\w-]+(.*)$/im;
const TYPE = /^content-type:\s*(\S.*?)\s*$/im;

/** The parts of a multipart form; undefined if it is not a form or is incomplete. Source: RFC 7578. */
export function parseParts(bytes: Buffer, boundary: string): RawPart[] | undefined {
  // Latin-1 has one character for each byte, so that positions are the same in both.
  const text = bytes.toString('latin1');
  const mark = `--${Buffer.from(boundary).toString('latin1')}`;
  const pieces = `\n${text}`.split(`\n${mark}`).slice(1);
  if (!pieces.pop()?.startsWith('--') || pieces.length === 0) {
    return undefined;
  }
  const parts = pieces.map(parsePart);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function parsePart(piece: string): RawPart | undefined {
  const [whole, head = ''] = PART.exec(piece) ?? [];
  const [, disposition] = DISPOSITION.exec(head) ?? [];
  const name = disposition === undefined ? undefined : parameterOf(disposition, 'name');
  if (whole === undefined || name === undefined || disposition === undefined) {
    return undefined;
  }
  const content = Buffer.from(piece.slice(whole.length).replace(/\r$/, ''), 'latin1');
  const fileName = parameterOf(disposition, 'filename');
  return { name, fileName, contentType: TYPE.exec(head)?.[1] ?? '', content };
}

/** The value of a parameter; the extended form (RFC 5987) overrides the plain one. */
function parameterOf(disposition: string, name: string): string | undefined {
  const [, extended] = new RegExp(`;\\s*${name}\\*=utf-8'[^']*'([^\\s;]+)`, 'i').exec(disposition) ?? [];
  if (extended !== undefined) {
    return decodeExtended(extended);
  }
  const pattern = new RegExp(`;\\s*${name}=(?:"((?:\\\\.|[^"\\\\])*)"|([^\\s;"]+))`, 'i');
  const [, quotedValue, bare] = pattern.exec(disposition) ?? [];
  const value = quotedValue?.replace(/\\(["\\])/g, '$1') ?? bare;
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString();
}

function decodeExtended(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function writeParts(parts: readonly RawPart[], boundary: string): Buffer {
  const pieces = parts.flatMap(({ name, fileName, contentType, content }) => {
    const file = fileName === undefined ? '' : `; filename="${quote(fileName)}"`;
    const type = contentType === '' ? '' : `Content-Type: ${contentType}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"${file}\r\n${type}\r\n`;
    return [Buffer.from(head), content, Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Quotes a text with backslashes, as `parameterOf` reads it. Line breaks, which would end the header, become spaces. */
function quote(text: string): string {
  return text.replace(/[\r\n]/g, ' ').replace(/["\\]/g, '\\$&');
}
