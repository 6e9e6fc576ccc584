import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import type { Finding } from '../refusal.ts';
import { Refusal } from '../refusal.ts';
import type { BodyResult } from './body.ts';

const MAX_FILE = 5 * 1024 * 1024;
const FORM = 'multipart/form-data';
const FORCED = 'application/x-www-form-urlencoded';

/** A file part: what its schema describes, with the bytes beside it. */
export interface FilePart {
  fileName: string;
  mediaType: string;
  size: number;
  bytes: Buffer;
}

/**
 * The parts of a multipart body by name: texts, and files as FilePart. A repeated part is an error (lenient: the last one
 * counts, with a warning). Lenient also takes a multipart body that calls itself a URL-encoded form, whose parts call
 * themselves attachments: a widely used HTTP library sends that when the type is forced. Source: reference, section 9.
 */
export async function readMultipart(bytes: Buffer, contentType: string | undefined, lenient: boolean): Promise<BodyResult> {
  const findings: Finding[] = [];
  const [body, type] = accept(bytes, contentType, lenient, findings);
  const { fields, files } = await parse(body, type);
  const value: Record<string, unknown> = {};
  for (const [name, part] of [...fields, ...files]) {
    if (Object.hasOwn(value, name)) {
      const severity = lenient ? 'warning' : 'error';
      findings.push({ path: `$.${name}`, expected: 'one part of this name', received: 'several', severity });
    }
    Object.defineProperty(value, name, { value: part, enumerable: true, configurable: true, writable: true });
  }
  return { value, findings };
}

function accept(bytes: Buffer, contentType: string | undefined, lenient: boolean, findings: Finding[]): [Buffer, string] {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase();
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(contentType ?? '');
  if (type === FORM && boundary) {
    return [bytes, contentType ?? ''];
  }
  const came = contentType === undefined ? 'no Content-Type came' : `Content-Type ${contentType.slice(0, 100)} came`;
  if (type !== FORCED || !boundary) {
    const why = type === FORM ? 'without a boundary' : '';
    throw new Refusal('wrong-media-type', `${came} ${why}; send Content-Type: ${FORM} with its boundary`.replace('  ', ' '));
  }
  if (!lenient) {
    throw new Refusal(
      'wrong-media-type',
      `${came}; send Content-Type: ${FORM} with its boundary (--validation lenient takes this one, too)`,
    );
  }
  const name = (boundary[1] ?? boundary[2] ?? '').trim();
  findings.push({ path: '$', expected: `Content-Type ${FORM}`, received: `${FORCED} with a boundary`, severity: 'warning' });
  return [withFormData(bytes, name, findings), `${FORM}; boundary="${name}"`];
}

/** Rewrites `attachment` to `form-data` in the heads of the parts; the parts' content is left alone. */
function withFormData(bytes: Buffer, boundary: string, findings: Finding[]): Buffer {
  const delimiter = Buffer.from(`--${boundary}`);
  const pieces: Buffer[] = [];
  let done = 0;
  let rewritten = false;
  for (let start = bytes.indexOf(delimiter); start !== -1; start = bytes.indexOf(delimiter, start + delimiter.length)) {
    const end = bytes.indexOf('\r\n\r\n', start);
    if (end === -1) {
      break;
    }
    const head = bytes.subarray(start, end).toString('latin1');
    const changed = head.replace(/^(content-disposition:\s*)attachment/im, '$1form-data');
    rewritten ||= changed !== head;
    pieces.push(bytes.subarray(done, start), Buffer.from(changed, 'latin1'));
    done = end;
  }
  if (rewritten) {
    findings.push({ path: '$', expected: 'parts of disposition form-data', received: 'attachment', severity: 'warning' });
  }
  return Buffer.concat([...pieces, bytes.subarray(done)]);
}

async function parse(body: Buffer, contentType: string) {
  const { default: multer } = await import('multer');
  const limits = { fileSize: MAX_FILE, fieldSize: 64 * 1024, fields: 100, files: 5, fieldNameSize: 100, fieldNestingDepth: 0 };
  const stream = Object.assign(Readable.from([body]), {
    headers: { 'content-type': contentType, 'content-length': String(body.length) },
    body: undefined as Record<string, unknown> | undefined,
    files: undefined as Express.Multer.File[] | undefined,
  });
  await new Promise<void>((resolve, reject) => {
    multer({ storage: multer.memoryStorage(), limits }).any()(
      stream as unknown as Request,
      {} as Response,
      (error: unknown) => (error ? reject(refusalOf(error)) : resolve()),
    );
  });
  const fields = Object.entries(stream.body ?? {}).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)] as const),
  );
  const files = (stream.files ?? []).map((file) => [file.fieldname, filePart(file)] as const);
  return { fields, files };
}

function filePart({ originalname, mimetype, size, buffer }: Express.Multer.File): FilePart {
  return { fileName: originalname, mediaType: mimetype, size, bytes: buffer };
}

function refusalOf(error: unknown): Refusal {
  const { code, message, field } = error as { code?: string; message?: string; field?: string };
  const part = field ? ` (part ${field.slice(0, 60)})` : '';
  if (code === 'LIMIT_FILE_SIZE') {
    return new Refusal('body-too-large', `the image is larger than ${MAX_FILE} bytes, the most that is taken${part}`);
  }
  return code?.startsWith('LIMIT_')
    ? new Refusal('body-too-large', `the form is larger than is taken: ${message}${part}`)
    : new Refusal('malformed-body', 'the body is not a readable multipart form; check that its boundary and its end are right');
}
