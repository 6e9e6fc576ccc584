import { membersOf } from '../../base/members.ts';
import { isDeeperThan } from '../../base/schema/depth.ts';
import type { MerchantsFixture } from '../../base/schema/generated/fixtures.ts';
import type { BundledCall, BundleLine } from '../../base/schema/generated/histories.ts';
import type { Merchant, SessionState } from '../../base/schema/generated/records.ts';
import { synchronousValidate } from '../../base/schema/validation.ts';
import type { Steps } from '../../base/steps.ts';
import { tryParseJson } from '../../base/text/try-parse-json.ts';
import type { Instant } from '../../base/time.ts';
import { parseJsonText } from '../../base/written-file.ts';
import { FILES, type FixtureFile } from '../config/fixture-files.ts';
import type { CallEntry, CallFacts, HistoryEntry } from '../sessions/history-entry.ts';
import type { SessionSnapshot } from '../store/store.ts';
import { findCommitProblem } from './commit-problem.ts';
import { type MerchantKeys, RecordMasker } from './record-masker.ts';

/** The version of the file's format that is written, and the only one that is read. */
export const BUNDLE_FORMAT = 3;
/** Maximum levels of nesting in a line, because recursion over a very deep value would overflow the stack. */
const MAX_DEPTH = 100;
const LINE_KINDS: readonly BundleLine['kind'][] = ['manifest', 'fixture', 'start', 'call', 'commit', 'answer'];

export type Manifest = Extract<BundleLine, { kind: 'manifest' }>;

/** The content of a bundle: a history with the data to continue it. */
export interface Bundle {
  /** Without the number of lines, which is counted when the file is written. */
  manifest: Omit<Manifest, 'lines'>;
  /** The user's fixture files, which are merged over the shipped ones. */
  fixtures: readonly FixtureFile[];
  /** The session's data when its history began. */
  start: SessionSnapshot;
  startedAt: Instant;
  entries: readonly HistoryEntry[];
}

/** A file that is not a bundle, or that this version cannot open. The message contains the reason, and the line if one is at fault. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/** One JSON object per line: the manifest, the fixtures, the start, then the entries; secrets masked. */
export function* serializeBundle({
  manifest: { kind, format, ...facts },
  fixtures,
  start,
  startedAt,
  entries,
}: Bundle): Steps<string> {
  const masker = new RecordMasker(merchantsIn(fixtures, start, entries));
  const answeredIds = new Set(entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.of] : [])));
  const lines = [JSON.stringify({ kind, format, lines: 2 + fixtures.length + entries.length, ...facts })];
  for (const fixture of fixtures) {
    lines.push(JSON.stringify({ kind: 'fixture', ...masker.maskFixture(fixture) }));
    yield;
  }
  lines.push(yield* startLine(start, startedAt, masker));
  for (const entry of entries) {
    lines.push(JSON.stringify(toBundleLine(entry, answeredIds, masker)));
    yield;
  }
  return `${lines.join('\n')}\n`;
}

function merchantsIn(
  fixtures: readonly FixtureFile[],
  start: SessionSnapshot,
  entries: readonly HistoryEntry[],
): MerchantKeys[] {
  const merchantsFile = fixtures.find(({ file }) => file === FILES.merchants);
  const changes = entries.flatMap((entry) => (entry.kind === 'commit' ? entry.changes : []));
  const registeredMerchants = changes.flatMap(({ collection, record }) =>
    collection === 'merchants' && record ? [record as Merchant] : [],
  );
  const { merchants = [] } = merchantsFile ? (parseJsonText(merchantsFile.content) as MerchantsFixture) : {};
  return [...merchants, ...(start.merchants ?? []), ...registeredMerchants];
}

/** Serialized record by record, because there may be many. */
function* startLine({ state, ...lists }: SessionSnapshot, at: Instant, masker: RecordMasker): Steps<string> {
  const members = [`"state":${JSON.stringify(maskState(state, masker))}`];
  for (const [name, records] of Object.entries(lists)) {
    const list: string[] = [];
    for (const record of records) {
      list.push(JSON.stringify(masker.mask(record)));
      yield;
    }
    members.push(`${JSON.stringify(name)}:[${list.join(',')}]`);
  }
  return `{"kind":"start","at":${at},"state":{${members.join(',')}}}`;
}

/** The state's other texts need no mask: names of scenarios and behaviours, and the seed, which determines the ids. */
function maskState({ forkedFrom, ...state }: SessionState, masker: RecordMasker): SessionState {
  return { ...state, ...(forkedFrom && { forkedFrom: masker.mask(forkedFrom) }) };
}

function toBundleLine(entry: HistoryEntry, answeredIds: ReadonlySet<string>, masker: RecordMasker): object {
  switch (entry.kind) {
    case 'commit': {
      // Without the undo changes, because they follow from the start and the changes.
      const { kind, cause, at, state, changes, events } = entry;
      const masked = { state: maskState(state, masker), changes: masker.mask(changes), events: masker.mask(events) };
      return { kind, cause, at, ...masked };
    }
    case 'call': {
      const { kind, id, origin, at } = entry;
      // A call that has not ended cannot be described yet.
      const call = answeredIds.has(id) ? masker.maskCall(toBundledCall(entry.describe())) : null;
      return { kind, id, origin, at, call };
    }
    case 'answer':
      return entry;
  }
}

/** `logged`: the fields of the request log that only a call of the merchant API has. */
function toBundledCall({ method, path, search, headers, body, answer, ...others }: CallFacts): object {
  const { id: _, at: __, session: ___, ...logged } = others;
  const isLogged = 'records' in logged;
  return { method, path, search, headers, body, answer, ...(isLogged && { logged }) };
}

/** Parses a bundle. Checks each line and each changed record, because anybody may have written the file. Throws BundleError. */
export async function parseBundle(text: string): Promise<Bundle & { manifest: Manifest }> {
  const lines = text.split('\n');
  if (lines.at(-1) === '') {
    lines.pop();
  }
  const check = await synchronousValidate();
  const [manifest, ...others] = lines.map((line, index) => parseLine(line, index + 1, check));
  if (manifest?.kind !== 'manifest') {
    throw new BundleError('line 1: a bundle begins with its manifest');
  }
  if (manifest.lines !== lines.length) {
    throw new BundleError(`it has ${lines.length} of its ${manifest.lines} lines: it was truncated or changed`);
  }
  const [start, ...otherStarts] = others.flatMap((line) => (line.kind === 'start' ? [line] : []));
  if (!start || otherStarts.length > 0 || others.some(({ kind }) => kind === 'manifest')) {
    throw new BundleError('a bundle has one manifest and one start');
  }
  const entries = others.flatMap((line) => toEntry(line) ?? []);
  assertOrder(entries, manifest.lastCalls);
  return {
    manifest,
    fixtures: others.flatMap((line) => (line.kind === 'fixture' ? [{ file: line.file, content: line.content }] : [])),
    // Its shape is checked by restoreBundle, together with the state at the end.
    start: start.state as SessionSnapshot,
    startedAt: start.at,
    entries,
  };
}

const CALL_ID = /^(request|control|page)-(\d+)$/;

/** Throws BundleError if a call or answer is repeated, or if an answer or commit precedes its call. Calls up to `lastCalls` precede the bundle. */
function assertOrder(entries: readonly HistoryEntry[], lastCalls: Manifest['lastCalls']): void {
  const [begunIds, answeredIds] = [new Set<string>(), new Set<string>()];
  const isKnown = (id: string) => {
    const [, kind = '', number] = CALL_ID.exec(id) ?? [];
    const last = lastCalls[kind === 'request' ? 'merchant' : (kind as 'control' | 'page')];
    return begunIds.has(id) || number === undefined || Number(number) <= last;
  };
  for (const entry of entries) {
    const [id, label, seen] =
      entry.kind === 'commit'
        ? [entry.cause ?? '', 'a change by', undefined]
        : entry.kind === 'answer'
          ? [entry.of, 'an answer to', answeredIds]
          : [entry.id, 'the call', begunIds];
    if (seen?.has(id)) {
      throw new BundleError(`it has ${label} ${id} twice`);
    }
    if (entry.kind !== 'call' && !isKnown(id)) {
      throw new BundleError(`it has ${label} ${id} before that call, or without it`);
    }
    seen?.add(id);
  }
}

type Check = Awaited<ReturnType<typeof synchronousValidate>>;

function parseLine(text: string, number: number, check: Check): BundleLine {
  const line = tryParseJson(text);
  if (line === undefined) {
    throw new BundleError(`line ${number} is not JSON`);
  }
  if (isDeeperThan(MAX_DEPTH, line)) {
    throw new BundleError(`line ${number} is nested deeper than ${MAX_DEPTH} levels`);
  }
  if (number === 1) {
    assertFormat(line);
  }
  const { kind } = membersOf(line);
  if (!LINE_KINDS.some((each) => each === kind)) {
    throw new BundleError(
      `line ${number}: $.kind must be one of ${LINE_KINDS.join(', ')}; received ${JSON.stringify(kind)}`,
    );
  }
  const [finding] = check('histories/bundle-line', line);
  if (finding) {
    throw new BundleError(`line ${number}: ${finding.path} must be ${finding.expected}; received ${finding.received}`);
  }
  const checked = line as BundleLine;
  const problem = checked.kind === 'commit' ? findCommitProblem(checked, check) : undefined;
  if (problem !== undefined) {
    throw new BundleError(`line ${number}: ${problem}`);
  }
  return checked;
}

/** Checked first, because in another version of the format every line may be invalid. */
function assertFormat(line: unknown): void {
  const { format, version = 'unknown' } = membersOf(line);
  if (format === undefined) {
    throw new BundleError('line 1: a bundle begins with its manifest, which names the format');
  }
  if (format !== BUNDLE_FORMAT) {
    throw new BundleError(
      `line 1: format ${JSON.stringify(format)} (written by version ${String(version)}) is not read here; this version reads format ${BUNDLE_FORMAT}`,
    );
  }
}

function toEntry(line: BundleLine): HistoryEntry | undefined {
  switch (line.kind) {
    case 'call':
      return toCallEntry(line);
    case 'commit':
      // Checked by findCommitProblem.
      return line as unknown as HistoryEntry;
    case 'answer':
      return line;
    default:
      return undefined;
  }
}

const UNFINISHED_CALL: BundledCall = { method: '', path: '', search: '', headers: {}, answer: null };

function toCallEntry({ kind, id, origin, at, call }: Extract<BundleLine, { kind: 'call' }>): CallEntry {
  const { logged, ...facts } = call ?? UNFINISHED_CALL;
  const described = { ...facts, ...logged, id, at } as unknown as CallFacts;
  return { kind, id, origin, at, bytes: JSON.stringify(described).length * 2, describe: () => described };
}
