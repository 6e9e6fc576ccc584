import type { BundleLine } from '../../base/schema/histories.ts';
import { validate } from '../../base/schema/validation.ts';
import type { Steps } from '../../base/steps.ts';
import type { FixtureFile } from '../config/fixture-files.ts';
import type { HistoryEntry } from '../sessions/history-entry.ts';
import type { SessionSnapshot } from '../store/store.ts';

/** The edition of the file's format that is written, and the only one that is read. */
export const BUNDLE_FORMAT = 2;

export type Manifest = Extract<BundleLine, { kind: 'manifest' }>;

/** A history as a file has it. */
export interface Bundle {
  /** How many lines there are is known once it is written. */
  manifest: Omit<Manifest, 'lines'>;
  /** Fixture files that differ from the shipped ones. */
  fixtures: readonly FixtureFile[];
  /** What the session kept at the begin. */
  start: SessionSnapshot;
  entries: readonly HistoryEntry[];
}

/** A file that is no bundle, or none that can be played here. Says which line, and why. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/** One JSON object a line: the manifest, the fixtures, the start, and what happened. */
export function* writeBundle({ manifest, fixtures, start, entries }: Bundle): Steps<string> {
  const { kind, format, ...facts } = manifest;
  const head = [
    { kind, format, lines: 2 + fixtures.length + entries.length, ...facts },
    ...fixtures.map((fixture) => ({ kind: 'fixture', ...fixture })),
    { kind: 'start', state: start },
  ];
  const lines = head.map((line) => JSON.stringify(line));
  for (const entry of entries) {
    lines.push(JSON.stringify(lineOf(entry)));
    yield;
  }
  return `${lines.join('\n')}\n`;
}

/** Throws BundleError. */
export async function readBundle(text: string): Promise<Bundle & { manifest: Manifest }> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
  }
  const [manifest, ...others] = await Promise.all(lines.map((line, index) => readLine(line, index + 1)));
  if (manifest?.kind !== 'manifest') {
    throw new BundleError('line 1: a bundle begins with its manifest');
  }
  if (manifest.lines !== lines.length) {
    throw new BundleError(`it has ${lines.length} of its ${manifest.lines} lines: it was truncated or changed`);
  }
  const starts = others.flatMap((line) => (line.kind === 'start' ? [line.state] : []));
  const [start] = starts;
  if (!start || starts.length > 1 || others.some(({ kind }) => kind === 'manifest')) {
    throw new BundleError('a bundle has one manifest and one start');
  }
  return {
    manifest,
    fixtures: others.flatMap((line) => (line.kind === 'fixture' ? [{ file: line.file, content: line.content }] : [])),
    start: start as SessionSnapshot,
    entries: others.flatMap((line) => entryOf(line) ?? []),
  };
}

async function readLine(text: string, number: number): Promise<BundleLine> {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new BundleError(`line ${number} is not JSON`);
  }
  if (number === 1) {
    expectFormat(line);
  }
  const [finding] = await validate('histories/bundle-line', line);
  if (finding) {
    throw new BundleError(`line ${number}: ${finding.path} must be ${finding.expected}; received ${finding.received}`);
  }
  return line as BundleLine;
}

/** Said first: of another edition's lines none may fit. */
function expectFormat(line: unknown): void {
  const format = typeof line === 'object' && line !== null && 'format' in line ? line.format : undefined;
  if (format === undefined) {
    throw new BundleError('line 1: a bundle begins with its manifest, which names the format');
  }
  if (format !== BUNDLE_FORMAT) {
    const version = typeof line === 'object' && line !== null && 'version' in line ? String(line.version) : 'unknown';
    throw new BundleError(
      `line 1: format ${JSON.stringify(format)} (written by version ${version}) is not read here; this version reads format ${BUNDLE_FORMAT}`,
    );
  }
}

function lineOf(entry: HistoryEntry): object {
  if (entry.kind !== 'call') {
    return entry;
  }
  const { body, ...call } = entry;
  if (body === null) {
    return call;
  }
  const text = body.toString();
  return Buffer.from(text).equals(body) ? { ...call, text } : { ...call, base64: body.toString('base64') };
}

function entryOf(line: BundleLine): HistoryEntry | undefined {
  if (line.kind === 'manifest' || line.kind === 'fixture' || line.kind === 'start') {
    return undefined;
  }
  if (line.kind !== 'call') {
    return line;
  }
  const { text, base64, ...call } = line;
  const isThere = text !== undefined || base64 !== undefined;
  return { ...call, body: isThere ? Buffer.from(text ?? base64 ?? '', text === undefined ? 'base64' : 'utf8') : null };
}
