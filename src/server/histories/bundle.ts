import { isDeeperThan } from '../../base/schema/depth.ts';
import type { BundledCall, BundleLine } from '../../base/schema/histories.ts';
import { synchronousValidate } from '../../base/schema/validation.ts';
import type { Steps } from '../../base/steps.ts';
import type { FixtureFile } from '../config/fixture-files.ts';
import type { CallFacts, HistoryCall, HistoryEntry } from '../sessions/history-entry.ts';
import type { SessionSnapshot } from '../store/store.ts';
import { maskedRecord } from './masked-records.ts';
import { wrongInChange } from './record-check.ts';

/** The edition of the file's format that is written, and the only one that is read. */
export const BUNDLE_FORMAT = 3;
/** Levels of nesting in a line. Deeper values could not be walked by recursion. */
const DEEPEST = 100;

export type Manifest = Extract<BundleLine, { kind: 'manifest' }>;

/** A history as a file has it. */
export interface Bundle {
  /** How many lines there are is known once it is written. */
  manifest: Omit<Manifest, 'lines'>;
  /** Fixture files that differ from the shipped ones. */
  fixtures: readonly FixtureFile[];
  /** What the session kept when its history began. */
  start: SessionSnapshot;
  entries: readonly HistoryEntry[];
}

/** A file that is no bundle, or none that can be opened here. Says which line, and why. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/**
 * One JSON object a line: the manifest, the fixtures, the start, and what happened. Secrets are masked, but for those of which `isKnown`
 * says that the sandbox gave them out.
 */
export function* writeBundle(
  { manifest: { kind, format, ...facts }, fixtures, start, entries }: Bundle,
  isKnown: (secret: string) => boolean,
): Steps<string> {
  const over = new Set(entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.of] : [])));
  const head = { kind, format, lines: 2 + fixtures.length + entries.length, ...facts };
  const lines = [head, ...fixtures.map((fixture) => ({ kind: 'fixture', ...fixture }))].map((line) =>
    JSON.stringify(line),
  );
  lines.push(JSON.stringify({ kind: 'start', state: yield* maskedStart(start, isKnown) }));
  for (const entry of entries) {
    lines.push(JSON.stringify(lineOf(entry, over, isKnown)));
    yield;
  }
  return `${lines.join('\n')}\n`;
}

function* maskedStart({ state, ...lists }: SessionSnapshot, isKnown: (secret: string) => boolean): Steps<object> {
  const masked: Record<string, unknown[]> = {};
  for (const [name, records] of Object.entries(lists)) {
    const list: unknown[] = [];
    for (const record of records) {
      list.push(maskedRecord(record, isKnown));
      yield;
    }
    masked[name] = list;
  }
  return { state, ...masked };
}

function lineOf(entry: HistoryEntry, over: ReadonlySet<string>, isKnown: (secret: string) => boolean): object {
  switch (entry.kind) {
    case 'commit':
      return { ...entry, changes: maskedRecord(entry.changes, isKnown), events: maskedRecord(entry.events, isKnown) };
    case 'call':
      // One that is under way cannot be described yet.
      return { ...entry, call: over.has(entry.id) ? bundledCall(entry.call.describe()) : null };
    case 'answer':
      return entry;
  }
}

function bundledCall({ method, path, search, headers, body, answer, ...others }: CallFacts): object {
  const { id: _, at: __, session: ___, ...logged } = others;
  const isLogged = 'records' in logged;
  return { method, path, search, headers, body, answer, ...(isLogged && { logged }) };
}

/** Throws BundleError. What is read is checked line by line, and record by record. */
export async function readBundle(text: string): Promise<Bundle & { manifest: Manifest }> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
  }
  const check = await synchronousValidate();
  const [manifest, ...others] = lines.map((line, index) => readLine(line, index + 1, check));
  if (manifest?.kind !== 'manifest') {
    throw new BundleError('line 1: a bundle begins with its manifest');
  }
  if (manifest.lines !== lines.length) {
    throw new BundleError(`it has ${lines.length} of its ${manifest.lines} lines: it was truncated or changed`);
  }
  const [start, ...more] = others.flatMap((line) => (line.kind === 'start' ? [line.state] : []));
  if (!start || more.length > 0 || others.some(({ kind }) => kind === 'manifest')) {
    throw new BundleError('a bundle has one manifest and one start');
  }
  return {
    manifest,
    fixtures: others.flatMap((line) => (line.kind === 'fixture' ? [{ file: line.file, content: line.content }] : [])),
    // Its shape is checked with the state that it ends in.
    start: start as SessionSnapshot,
    entries: others.flatMap((line) => entryOf(line) ?? []),
  };
}

type Check = Awaited<ReturnType<typeof synchronousValidate>>;

function readLine(text: string, number: number, check: Check): BundleLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new BundleError(`line ${number} is not JSON`);
  }
  if (isDeeperThan(DEEPEST, line)) {
    throw new BundleError(`line ${number} is nested deeper than ${DEEPEST} levels`);
  }
  if (number === 1) {
    expectFormat(line);
  }
  const [finding] = check('histories/bundle-line', line);
  if (finding) {
    throw new BundleError(`line ${number}: ${finding.path} must be ${finding.expected}; received ${finding.received}`);
  }
  const checked = line as BundleLine;
  const wrong = checked.kind === 'commit' ? wrongInChange(checked, check) : undefined;
  if (wrong !== undefined) {
    throw new BundleError(`line ${number}: ${wrong}`);
  }
  return checked;
}

/** Said first: of another edition's lines none may fit. */
function expectFormat(line: unknown): void {
  const { format, version = 'unknown' } = (typeof line === 'object' && line !== null ? line : {}) as Partial<Manifest>;
  if (format === undefined) {
    throw new BundleError('line 1: a bundle begins with its manifest, which names the format');
  }
  if (format !== BUNDLE_FORMAT) {
    throw new BundleError(
      `line 1: format ${JSON.stringify(format)} (written by version ${String(version)}) is not read here; this version reads format ${BUNDLE_FORMAT}`,
    );
  }
}

function entryOf(line: BundleLine): HistoryEntry | undefined {
  switch (line.kind) {
    case 'call':
      return { ...line, call: readCall(line) };
    case 'commit':
      // Checked by wrongInChange.
      return line as unknown as HistoryEntry;
    case 'answer':
      return line;
    default:
      return undefined;
  }
}

const NOT_OVER: BundledCall = { method: '', path: '', search: '', headers: {}, answer: null };

function readCall({ id, at, call }: Extract<BundleLine, { kind: 'call' }>): HistoryCall {
  const { logged, ...facts } = call ?? NOT_OVER;
  const described = { ...facts, ...logged, id, at } as unknown as CallFacts;
  return { bytes: JSON.stringify(described).length * 2, describe: () => described };
}
