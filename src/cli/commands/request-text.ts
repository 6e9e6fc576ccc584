import type { Finding, RequestView } from '../../base/schema/generated/control.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { printable, printableLines } from '../../base/text/printable.ts';
import { cellOf, linesOfJson } from '../../command/show.ts';

/** A call as the request log shows it: its body may be any JSON. */
export type ShownRequest = Omit<RequestView, 'query' | 'headers' | 'body'> & {
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: unknown;
};

/** A complete call: the request with its findings at their places, the answer, and a command to send the request again. */
export function textOfRequest(request: ShownRequest, baseUrl: string): string {
  const { id, at, milliseconds, method, answer, events, reason, outcome } = request;
  const effects = events.map(({ type, subjectId }) => `${type} ${subjectId ?? ''}`.trim()).join(', ');
  const head = [
    ['at', at],
    ['operation', request.operation],
    ['reference', request.reference],
    ['outcome', outcome],
    ['reason', reason],
    ['caused', effects === '' ? null : effects],
  ].flatMap(([name, value]) => (value == null ? [] : [`  ${name?.padEnd(9)}  ${cellOf(value)}`]));
  const status = answer === null ? 'no answer' : `${answer.status} in ${milliseconds} ms`;
  return [
    printable(`${id}  ${method} ${targetOf(request)}  ${status}`),
    ...head,
    ...section('headers', headersOf(request.headers)),
    ...section('body', bodyOf(request)),
    ...section('answer', answer === null ? [] : prettyLines(answer.body)),
    ...section('send it again (replace each *** by the secret that it masks)', [curlOf(request, baseUrl)]),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}

function headersOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => printable(`${name}: ${value}`));
}

function targetOf({ path, query }: ShownRequest): string {
  const search = new URLSearchParams(query).toString();
  return `${path}${search === '' ? '' : `?${search}`}`;
}

function prettyLines(json: string): string[] {
  try {
    return linesOfJson(JSON.parse(json));
  } catch {
    return printableLines(json).split('\n');
  }
}

/** The body as JSON, with each finding below its line; a finding about a missing member is below the beginning of the object. */
function bodyOf({ body, findings }: ShownRequest): string[] {
  const lines: JsonLine[] = body === undefined ? [] : jsonLines(body, '$', '', '');
  for (const finding of findings) {
    const line = lineFor(finding.path, lines);
    if (line) {
      line.findings.push(finding);
    } else {
      lines.push({ path: finding.path, text: '', findings: [finding] });
    }
  }
  return lines.flatMap(({ path, text, findings: found }) => [
    ...(text === '' ? [] : [printable(text)]),
    ...found.map((finding) => `${indentationOf(text, finding.path === path)}^ ${printable(wordsOf(finding, path))}`),
  ]);
}

/** The indentation of the line of a finding; a missing member would be one level deeper. */
function indentationOf(text: string, isPresent: boolean): string {
  return `${/^ */.exec(text)?.[0]}${isPresent ? '' : '  '}`;
}

interface JsonLine {
  path: string;
  text: string;
  findings: Finding[];
}

function wordsOf({ path, expected, received, severity, id }: Finding, linePath: string): string {
  const prefix = path === linePath ? '' : `${path}: `;
  return `${severity === 'warning' ? `warning ${id}: ` : ''}${prefix}expected ${expected}, received ${received}`;
}

/** The line of a path; for a missing member, the line of the nearest parent. */
function lineFor(path: string, lines: readonly JsonLine[]): JsonLine | undefined {
  const exact = lines.find((line) => line.path === path);
  const parents = lines.filter((line) => path.startsWith(`${line.path}.`) || path.startsWith(`${line.path}[`));
  return exact ?? parents.reduce<JsonLine | undefined>(deeperLine, undefined);
}

function deeperLine(best: JsonLine | undefined, line: JsonLine): JsonLine {
  return best && best.path.length >= line.path.length ? best : line;
}

/** JSON line by line, each with the path of the value that begins there. */
function jsonLines(value: unknown, path: string, indent: string, name: string, comma = ''): JsonLine[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return [{ path, text: `${indent}${name}${JSON.stringify(value)}${comma}`, findings: [] }];
  }
  const isList = Array.isArray(value);
  const members = isList ? value.map((each, index) => [index, each] as const) : Object.entries(value);
  const inside = members.flatMap(([key, member], index) =>
    jsonLines(
      member,
      memberPath(path, key),
      `${indent}  `,
      isList ? '' : `${JSON.stringify(key)}: `,
      index < members.length - 1 ? ',' : '',
    ),
  );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  return [
    { path, text: `${indent}${name}${open}`, findings: [] },
    ...inside,
    { path: '', text: `${indent}${close}${comma}`, findings: [] },
  ];
}

/** Headers that HTTP clients such as curl and fetch add themselves. */
const CLIENT_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'user-agent',
  'transfer-encoding',
]);

/** The call as a curl command; a form is sent as multipart, with its parts written as texts. */
function curlOf(request: ShownRequest, baseUrl: string): string {
  const { method, headers } = request;
  const ownHeaders = Object.entries(headers).filter(([name]) => !CLIENT_HEADERS.has(name.toLowerCase()));
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', quote(method)]),
    quote(`${baseUrl}${targetOf(request)}`),
    ...ownHeaders
      .filter(([name]) => !(isForm(request) && name === 'content-type'))
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...contentOf(request),
  ].join(' ');
}

function contentOf(request: ShownRequest): string[] {
  const { method, headers, body } = request;
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
  if (!hasBody || body === undefined) {
    return [];
  }
  if (isForm(request)) {
    return Object.entries(body as object).map(
      ([name, value]) =>
        `--form-string ${quote(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`,
    );
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return [...(method === 'GET' ? ['-X GET'] : []), `--data-raw ${quote(text)}`];
}

function isForm({ headers, body }: ShownRequest): boolean {
  const type = headers['content-type'] ?? '';
  return /multipart|x-www-form-urlencoded/i.test(type) && typeof body === 'object' && body !== null;
}

/** Quotes a word for a shell. Control characters are escaped, because they could act in a terminal. */
function quote(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) {
    return text;
  }
  const escaped = printable(text);
  return escaped === text
    ? `'${text.replaceAll("'", "'\\''")}'`
    : `$'${printable(text.replaceAll('\\', '\\\\').replaceAll("'", "\\'"))}'`;
}
