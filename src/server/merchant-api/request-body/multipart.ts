import { isUtf8 } from 'node:buffer';
import { Readable, type Writable } from 'node:stream';
import { errorFinding, type Finding, Refusal, warningOf } from '../../../base/refusal.ts';
import { memberPath } from '../../../base/schema/json-path.ts';
import { notUtf8Refusal } from '../../../base/text/form-text.ts';
import { describeContentType, parseContentType } from './content-type.ts';
import { convertDispositions } from './convert-dispositions.ts';
import { checkTree } from './json-tree.ts';

/** Maximum size of a file; in lenient mode also of a text, because one may be sent in place of a file. Source: ours. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Maximum size of a text part in strict mode. Source: ours. */
const MAX_TEXT_BYTES = 64 * 1024;
const FORM = 'multipart/form-data';
/** Suffix that some libraries add to a field's name for each entry of a list. */
const LIST_SUFFIX = /\[\d*\]$/;
const HEAD_END = '\r\n\r\n';
/** The wrong type that some clients send with a multipart form, because their user sets it. */
const WRONG_FORM_TYPE = 'application/x-www-form-urlencoded';

/** A file part: the members of its schema, and the bytes. */
export interface FilePart {
  fileName: string;
  /** As sent by the client; only the content shows the real type. */
  mediaType: string;
  size: number;
  bytes: Buffer;
}

export interface MultipartForm {
  /** Parts by name. Of a repeated name it has the last part, but a file rather than a text. */
  value: Record<string, string | FilePart>;
  /** All parts if a name is repeated, texts before files. */
  allParts?: readonly FormPart[];
  findings: readonly Finding[];
}

/**
 * The parts of a multipart body by name. A repeated part is an error. Lenient mode uses one, reads `name[]` and
 * `name[0]` as `name`, and accepts the type of a URL-encoded form and parts with the disposition `attachment`, each with a
 * warning. Rejects with a Refusal. Source: reference, section 9.
 */
export async function readMultipart(
  bytes: Buffer,
  contentType: string | undefined,
  isLenient: boolean,
): Promise<MultipartForm> {
  const findings: Finding[] = [];
  const boundary = boundaryOf(contentType, isLenient, findings);
  if (bytes.length === 0) {
    throw new Refusal('malformed-body', 'the body is empty; a multipart form was expected');
  }
  const body = convertAttachments(bytes, boundary, isLenient, findings);
  const parts = await parseParts(body, boundary, isLenient ? MAX_FILE_BYTES : MAX_TEXT_BYTES);
  checkUtf8(parts, body, boundary);
  const value = new Map<string, string | FilePart>();
  for (const [sentName, part] of parts) {
    const name = isLenient ? sentName.replace(LIST_SUFFIX, '') : sentName;
    const path = memberPath('$', name);
    if (value.has(name)) {
      const finding = errorFinding(path, 'one part of this name', 'several');
      findings.push(isLenient ? warningOf('repeated-name', finding) : finding);
    } else if (name !== sentName) {
      findings.push(
        warningOf('read-leniently', { path, expected: 'a part of this name', received: JSON.stringify(sentName) }),
      );
    }
    value.set(name, part);
  }
  checkTree(Object.fromEntries([...value.keys()].map((name) => [name, ''])));
  return { value: Object.fromEntries(value), ...(value.size < parts.length && { allParts: parts }), findings };
}

/**
 * Throws a Refusal that names a part whose name, file name or text is not in UTF-8. The form parser replaces such bytes with
 * U+FFFD. Because a client may also send this character itself, it is looked up in the body.
 */
function checkUtf8(parts: readonly FormPart[], body: Buffer, boundary: string): void {
  const suspectParts = parts.filter(([name, part]) =>
    `${name}${typeof part === 'string' ? part : part.fileName}`.includes('\uFFFD'),
  );
  const partsInBody = suspectParts.length === 0 ? [] : splitParts(body, boundary);
  for (const [name, part] of suspectParts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part.bytes;
    if (!partsInBody.some(({ head, content }) => isUtf8(head) && head.includes(name) && content.equals(bytes))) {
      throw notUtf8Refusal(name, typeof part === 'string' ? 'the field' : 'the file name of the field');
    }
  }
}

function splitParts(body: Buffer, boundary: string): { head: Buffer; content: Buffer }[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts = [];
  for (let start = 0, end = 0; end !== -1; start = end + delimiter.length) {
    end = body.indexOf(delimiter, start);
    const part = body.subarray(start, end === -1 ? body.length : end);
    const headEnd = part.indexOf(HEAD_END);
    parts.push({ head: part.subarray(0, Math.max(headEnd, 0)), content: part.subarray(headEnd + HEAD_END.length) });
  }
  return parts;
}

/** Throws `wrong-media-type`. */
function boundaryOf(contentType: string | undefined, isLenient: boolean, findings: Finding[]): string {
  const { type, parameters } = parseContentType(contentType);
  const boundary = parameters['boundary'] ?? '';
  const received = describeContentType(contentType);
  const isMislabelled = type === WRONG_FORM_TYPE && boundary !== '';
  if ((type !== FORM && !isMislabelled) || boundary === '') {
    const problem = type === FORM ? `${received}, without a boundary` : received;
    throw new Refusal('wrong-media-type', `${problem}; send Content-Type: ${FORM} with its boundary`);
  }
  if (isMislabelled && !isLenient) {
    const remedy = `send Content-Type: ${FORM} with its boundary`;
    throw new Refusal('wrong-media-type', `${received}; ${remedy} (--validation lenient accepts this one, too)`);
  }
  if (isMislabelled) {
    findings.push(warning(`Content-Type ${FORM}`, `${WRONG_FORM_TYPE} with a boundary`));
  }
  return boundary;
}

/** The body with the disposition `form-data` in every part, because the form parser skips attachments silently. Strict mode refuses them. */
function convertAttachments(body: Buffer, boundary: string, isLenient: boolean, findings: Finding[]): Buffer {
  const { bytes, count } = convertDispositions(body, boundary);
  if (count > 0 && !isLenient) {
    const problem = `${count} of its parts say Content-Disposition: attachment`;
    throw new Refusal('malformed-body', `${problem}; send form-data (--validation lenient accepts these, too)`);
  }
  if (count > 0) {
    findings.push(warning('parts of Content-Disposition form-data', `${count} that say attachment`));
  }
  return bytes;
}

function warning(expected: string, received: string): Finding {
  return warningOf('wrong-content-type', { path: '$', expected, received });
}

export type FormPart = readonly [name: string, part: string | FilePart];

/** The parts of a form: texts, then files, each in the order of arrival. */
async function parseParts(body: Buffer, boundary: string, maxText: number): Promise<FormPart[]> {
  // Loaded on demand, because only fast checkout needs it and loading takes a while.
  const { default: multer } = await import('multer');
  const texts: FormPart[] = [];
  const options = {
    storage: multer.memoryStorage(),
    limits: { fileSize: MAX_FILE_BYTES, fieldSize: maxText, fields: 100, files: 5, fieldNameSize: 100 },
    defParamCharset: 'utf8',
    // Replaces multer's own collection of fields, which reads brackets in names as nesting.
    streamHandler: (request: Readable, parser: Writable) => {
      parser.on('field', (name: string, text: string) => texts.push([name, text]));
      request.pipe(parser);
    },
  };
  const request = Object.assign(Readable.from([body]), {
    headers: { 'content-type': `${FORM}; boundary="${quote(boundary)}"`, 'content-length': String(body.length) },
    files: [] as Express.Multer.File[],
  });
  // multer needs only these members of Express's request.
  const parse = multer(options).any() as (request: Readable, response: object, done: (error: unknown) => void) => void;
  await new Promise<void>((resolve, reject) => {
    parse(request, {}, (error) => (error ? reject(refusalOf(error, maxText)) : resolve()));
  });
  return [...texts, ...request.files.map((file) => [file.fieldname, toFilePart(file)] as const)];
}

function quote(boundary: string): string {
  return boundary.replace(/["\\]/g, '\\$&');
}

function toFilePart({ originalname, mimetype, size, buffer }: Express.Multer.File): FilePart {
  return { fileName: originalname, mediaType: mimetype, size, bytes: buffer };
}

function refusalOf(error: unknown, maxText: number): Refusal {
  const { code = '', message = '', field } = error as { code?: string; message?: string; field?: string };
  const part = field === undefined ? 'a part' : `the part ${JSON.stringify(field.slice(0, 60))}`;
  switch (code) {
    case 'LIMIT_FILE_SIZE':
      return new Refusal(
        'body-too-large',
        `${part} is larger than ${MAX_FILE_BYTES} bytes (5 MiB), the limit for a file`,
      );
    case 'LIMIT_FIELD_VALUE':
      return new Refusal('body-too-large', `${part} is larger than ${maxText} bytes, the limit for a text`);
    default:
      return code.startsWith('LIMIT_')
        ? new Refusal('body-too-large', `the form is too large: ${message}`)
        : new Refusal(
            'malformed-body',
            `the body is not a readable multipart form (${message}); check its boundary and its end`,
          );
  }
}
