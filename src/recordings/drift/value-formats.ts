import { plural } from '../../base/text/plural.ts';
import { parseUrl } from '../../base/text/url.ts';
import { isInstant } from '../../base/time.ts';

export type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'object' | 'list';

export function typeOf(value: unknown): ValueType {
  if (value === null || value === undefined) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'list';
  }
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
}

export const TEXT = 'text';
export const SENTENCE = 'sentence with values';
const DIGITS = 'digits';
const DOTTED_CODE = 'dotted code';
const ID = 'id without prefix';
const BASE64 = 'base64 text';

/** Formats that count as the same, because "00", "000.100.110" and "Success" can all be codes. */
const WORDLIKE: readonly string[] = [TEXT, DIGITS, DOTTED_CODE];
/** Formats of random texts, which can resemble each other. */
const RANDOM: readonly string[] = [ID, BASE64];

/** Whether two formats can belong to the same kind of text. */
export function isSameFormat(one: string, other: string): boolean {
  return one === other || [WORDLIKE, RANDOM].some((family) => family.includes(one) && family.includes(other));
}

const MASKED = /\*{3}/;
const DATE_TIME = /^\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/;
const FRACTIONS: Readonly<Record<number, string>> = { 0: '', 3: ' and milliseconds', 6: ' and microseconds' };
const PICTURES = [
  ['PNG', /^iVBORw0KGgo/],
  ['JPEG', /^\/9j\//],
  ['GIF', /^R0lGOD/],
  ['WebP', /^UklGR/],
  ['SVG', /^(?:PHN2Zy|PD94bWwg)/],
] as const;
const DATA_URL = /^data:[^,]*;base64,/;

/** Formats that a pattern recognises; the first match counts. */
const PATTERNS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['date', /^\d{4}-\d\d-\d\d$/],
  [DIGITS, /^\d+$/],
  [DOTTED_CODE, /^\d+(?:\.\d+){2,}$/],
  ['UUID', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ['JWT', /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/],
  ['e-mail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
];
const PREFIXED_ID = /^((?:[a-z]{2,12}|[A-Z]{2,12})[-_])(?=.*\d)[\w-]{4,}$/;
const HEXADECIMAL = /^[\da-f]{16,}$/i;
/** Base64, but not a path of lower-case words. */
const BASE64_TEXT = /^(?![a-z/]+$)(?=.*[+/=])[A-Za-z\d+/]{15,}={0,2}$/;
const ID_TEXT = /^(?=.*\d)(?=.*[A-Za-z])[\w.:~-]{6,}$|^(?=.*[a-z])(?=.*[A-Z])[\w-]{16,}$/;
const MAX_LENGTH = 2048;

export function formatOf(text: string): string {
  if (MASKED.test(text)) {
    return 'masked';
  }
  const picture = pictureFormatOf(text);
  if (picture || text.length > MAX_LENGTH) {
    return picture ?? TEXT;
  }
  const format = PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
  return format ?? timeFormatOf(text) ?? decimalFormatOf(text) ?? urlFormatOf(text) ?? randomFormatOf(text) ?? TEXT;
}

function pictureFormatOf(text: string): string | undefined {
  const [head = ''] = DATA_URL.exec(text) ?? [];
  const format = PICTURES.find(([, pattern]) => pattern.test(text.slice(head.length)));
  return format && `base64 ${format[0]} image${head ? ' in a data URL' : ''}`;
}

function timeFormatOf(text: string): string | undefined {
  const parts = DATE_TIME.exec(text);
  if (!parts) {
    return undefined;
  }
  const [, separator, fraction = '', offset] = parts;
  if (!isInstant(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`)) {
    return undefined;
  }
  const precision = FRACTIONS[fraction.length] ?? ` and ${plural(fraction.length, 'fraction digit')}`;
  const separatorText = separator === 'T' ? '' : ' after a space';
  if (offset === undefined) {
    return `local date-time${separatorText}${precision}`;
  }
  return `instant${separatorText} with ${offset === 'Z' ? 'Z' : `offset ${offset}`}${precision}`;
}

function decimalFormatOf(text: string): string | undefined {
  const [, places] = /^-?\d+\.(\d+)$/.exec(text) ?? [];
  return places && `decimal with ${places.length} ${places.length === 1 ? 'place' : 'places'}`;
}

/** The path and query names of a URL. `http` is omitted for a local address, because the sandbox of a comparison has no TLS. */
function urlFormatOf(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) && !/\s/.test(text) ? parseUrl(text) : undefined;
  if (!url) {
    return undefined;
  }
  const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const path = pathShapeOf(url.pathname);
  const names = [...new Set(url.searchParams.keys())].sort();
  return `${url.protocol === 'http:' && !isLocal ? 'http ' : ''}URL ${path}${names.length > 0 ? `?${names.join('&')}` : ''}`;
}

/** Replaces ids, which are different each time, with {id}. */
export function pathShapeOf(path: string): string {
  return path
    .split('/')
    .map((part) => (isIdSegment(part) ? '{id}' : part))
    .join('/');
}

function isIdSegment(part: string): boolean {
  const [stem = '', ending] = part.split(/\.(?=[a-z]{2,5}$)/);
  return ending === undefined
    ? MASKED.test(part) || /^\d+$/.test(part) || randomFormatOf(part) !== undefined
    : isIdSegment(stem);
}

function randomFormatOf(text: string): string | undefined {
  if (PATTERNS.some(([format, pattern]) => format === 'UUID' && pattern.test(text))) {
    return 'UUID';
  }
  if (HEXADECIMAL.test(text)) {
    return `hexadecimal text of ${text.length} characters`;
  }
  const [, prefix] = PREFIXED_ID.exec(text) ?? [];
  if (prefix !== undefined) {
    return `id with prefix ${prefix}`;
  }
  return ID_TEXT.test(text) ? ID : BASE64_TEXT.test(text) ? BASE64 : undefined;
}

const VALUE = /https?:\/\/\S+|\*{3}[\da-f]*|\S*\d\S*/gi;

/** A sentence without its ids, addresses, times and amounts; undefined if the text is not a sentence or contains none of these. */
export function skeletonOf(text: string): string | undefined {
  return /\s/.test(text) && text.search(VALUE) !== -1 ? text.replace(VALUE, '…') : undefined;
}
