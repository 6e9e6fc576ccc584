import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Difference, DriftProposal as MaybeProposal } from '../../base/schema/recordings.ts';
import { FixtureError } from '../../config/fixture-error.ts';
import { filesIn, readJsonIfThere } from '../../config/fixture-files.ts';
import { fixturesAbout } from './adoption.ts';
import { type ProposedFiles, proposedFiles } from './files.ts';
import { lineDiff } from './line-diff.ts';
import type { Evidence } from './parts.ts';

type DriftProposal = NonNullable<MaybeProposal>;

/** Plays the recording with the fixtures of a folder, and says what is different. Rejects with FixtureError. */
export type Try = (folder: string) => Promise<readonly Difference[]>;

/** What was proposed, and which fixture adopts each difference. */
export interface Proposal {
  proposal: DriftProposal | null;
  differences: Difference[];
}

/**
 * Proposes files for a folder of fixtures; undefined: for a new one. They are tried before they are shown, so that what is said to be
 * adopted is.
 */
export async function propose(evidence: Evidence, folder: string | undefined, tryWith: Try): Promise<Proposal> {
  const own = (file: string) => (folder === undefined ? undefined : readJsonIfThere(join(folder, file)));
  const proposed = changedOnly(proposedFiles(evidence, own), own);
  const left = await tried(proposed, folder, tryWith);
  const differences = evidence.differences.map((each) => ({ ...each, fixture: adoptedBy(each, proposed, left) }));
  const { files, entries, notes } = proposed;
  if (differences.every(({ fixture }) => fixture === null)) {
    // Files that adopt nothing would only be more to read.
    files.clear();
  }
  const proposal: DriftProposal = {
    files: [...files].map(([file, content]) => {
      const before = own(file);
      return {
        file,
        content: { ...content },
        diff: lineDiff(before === undefined ? '' : textOf(before), textOf(content)),
      };
    }),
    entries: entries.filter(({ file }) => files.has(file)),
    left: numbered(left, differences),
    notes,
    writtenTo: null,
  };
  return { proposal: files.size === 0 && notes.length === 0 ? null : proposal, differences };
}

/** Writes files into a folder of fixtures, which is made where there is none: each as a whole or not at all. Throws FixtureError. */
export function applyProposal({ files }: DriftProposal, folder: string): void {
  for (const { file, content } of files) {
    const path = join(folder, file);
    // Hidden, so that a running sandbox that watches the folder does not read it.
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`);
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(temporary, textOf(content));
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw new FixtureError(path, `cannot be written: ${messageOf(error)}`);
    }
  }
}

function textOf(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

function changedOnly(proposed: ProposedFiles, own: (file: string) => unknown): ProposedFiles {
  const changed = [...proposed.files].filter(
    ([file, content]) => JSON.stringify(content) !== JSON.stringify(own(file)),
  );
  return { ...proposed, files: new Map(changed) };
}

/** Tries the files in a copy of the folder. Takes out, with a note, what the fixtures' own checks refuse. */
async function tried(
  proposed: ProposedFiles,
  folder: string | undefined,
  tryWith: Try,
): Promise<readonly Difference[]> {
  while (proposed.files.size > 0) {
    const copy = mkdtempSync(join(tmpdir(), 'merchant-sandbox-fixtures-'));
    try {
      fill(copy, proposed, folder);
      return await tryWith(copy);
    } catch (error) {
      takeOut(proposed, copy, error);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return [];
}

function fill(copy: string, { files }: ProposedFiles, folder: string | undefined): void {
  for (const { file } of folder !== undefined && existsSync(folder) ? filesIn(folder) : []) {
    cpSync(join(folder ?? '', file), join(copy, file), { recursive: true });
  }
  for (const [file, content] of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), textOf(content));
  }
}

function takeOut(proposed: ProposedFiles, copy: string, error: unknown): void {
  const refused = [...proposed.files.keys()].filter(
    (file) => error instanceof FixtureError && error.message.includes(join(copy, file)),
  );
  if (refused.length === 0 || !(error instanceof Error)) {
    throw error;
  }
  for (const file of refused) {
    proposed.files.delete(file);
  }
  proposed.notes.push(`Not proposed: ${error.message.replaceAll(`${copy}/`, '')}.`);
}

/**
 * What is left, under the numbers that it had before, though all channels may now show alike what only some did; what is seen only with
 * the files has the numbers after those.
 */
function numbered(left: readonly Difference[], before: readonly Difference[]): Difference[] {
  const open = new Set(before);
  let last = before.length;
  return left.flatMap((each) => {
    const same = [...open].filter((other) => isSame(each, other));
    const covered = each.channel === null ? same : same.slice(0, 1);
    for (const other of covered) {
      open.delete(other);
    }
    const [known] = covered.length > 0 ? [] : before.filter((other) => isSame(each, other));
    last += covered.length > 0 || known ? 0 : 1;
    return covered.length > 0
      ? covered.map(({ id, channel }) => ({ ...each, id, channel, fixture: null }))
      : [{ ...each, id: known?.id ?? `D${last}`, fixture: null }];
  });
}

/** The files that adopt a difference; null where it is still there with them. */
function adoptedBy(difference: Difference, { files }: ProposedFiles, left: readonly Difference[]): string | null {
  if (files.size === 0 || left.some((each) => isSame(each, difference))) {
    return null;
  }
  const all = [...files.keys()];
  const about = all.filter((file) => fixturesAbout(difference).includes(file));
  return (about.length > 0 ? about : all).join(', ');
}

function isSame(one: Difference, other: Difference): boolean {
  // Statuses without a channel are those of payouts and payment links, and not of every channel.
  const same = (name: 'operation' | 'channel' | 'environment' | 'status') =>
    one[name] === other[name] || (one.part !== 'payment' && (one[name] === null || other[name] === null));
  return (
    one.kind === other.kind &&
    one.part === other.part &&
    one.place === other.place &&
    same('operation') &&
    same('channel') &&
    same('environment') &&
    same('status')
  );
}
