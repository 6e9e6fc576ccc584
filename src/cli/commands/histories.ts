import { writeFileSync } from 'node:fs';
import { compareHistories, type Difference, sidesOf } from '../../base/compare-histories.ts';
import { messageOf } from '../../base/errors.ts';
import type { HistoryStep } from '../../base/schema/control.ts';
import { plural } from '../../base/text/plural.ts';
import { printable, printableLines } from '../../base/text/printable.ts';
import { readText } from '../../base/written-file.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type Command, type Options, type Shown, UsageError } from '../../command/command.ts';
import { askedToEnd } from '../../command/shutdown.ts';
import { suggestSessions } from '../../command/suggestion.ts';
import { FixtureError } from '../../server/config/fixture-error.ts';

/** Characters of each side of a difference that are printed; `--json` has all. */
const LONGEST_SIDE = 2000;

/** A session's history: kept in a file, played again, forked, compared. */
export const HISTORY_COMMANDS: readonly Command[] = [
  {
    name: 'bundle',
    parameters: ['[session]'],
    options: [{ flags: '-o, --output <file>', help: 'file to write (default: standard output)' }],
    help: 'write the history of a session to a file for `replay`; secrets are replaced',
    suggest: (client, before) => (before.length === 0 ? suggestSessions(client) : []),
    run: async (client, [name], { output }) => writeBundle(client.inSession(name ?? client.session), output),
  },
  {
    name: 'replay',
    parameters: ['<file>'],
    options: [
      {
        flags: '--until <step>',
        help: 'stop after this request (request-17), event (event-40) or number of entries',
      },
      { flags: '--open', help: 'keep the sandbox running afterwards, until you stop it' },
    ],
    help: 'replay a bundle in a new sandbox, and compare every response and notification byte by byte',
    details: () => 'Exit codes: 0 the same, 1 different, 2 it cannot be played.',
    findsSandbox: true,
    run: (_client, [file = ''], options) => replayFile(file, options),
  },
  {
    name: 'fork',
    parameters: ['[session]'],
    options: [
      { flags: '--at <step>', help: 'last step to copy, such as request-17 (default: the latest)' },
      { flags: '--as <name>', help: 'name of the new session' },
    ],
    help: 'copy a session as it was after a step, into a new session',
    suggest: (client, before) => (before.length === 0 ? suggestSessions(client) : []),
    async run(client, [name = client.session], { at, as }) {
      if (typeof as !== 'string') {
        throw new UsageError('fork needs --as <name>, the name of the new session');
      }
      const fork = await client.fork(name, { as, ...(typeof at === 'string' ? { at } : {}) });
      const { forkedFrom } = fork;
      const from = `from ${forkedFrom?.session ?? name} after ${forkedFrom?.at ?? 'its last step'}`;
      const lines = [
        `${fork.name}, ${from}, at ${fork.now}: ${fork.url}`,
        `Notifications are held: merchant-sandbox resume --session ${fork.name} sends them.`,
      ];
      return { data: fork, text: lines.map(printable).join('\n') };
    },
  },
  {
    name: 'diff',
    parameters: ['<one>', '<other>'],
    help: 'show the first step at which two sessions differ',
    suggest: (client, before) => (before.length < 2 ? suggestSessions(client) : []),
    run: (client, [one = '', other = '']) => compareSessions(client, one, other),
  },
];

/** What `bundle` does. */
export async function writeBundle(client: SandboxClient, output: Options[string]): Promise<Shown> {
  const text = await client.bundle();
  const manifest: unknown = JSON.parse(text.slice(0, text.indexOf('\n')));
  if (typeof output !== 'string') {
    return { data: manifest, text: text.trimEnd() };
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    throw new UsageError(`${output} cannot be written: ${messageOf(error)}`);
  }
  const { cutBecause, difference } = manifest as { cutBecause: string | null; difference: string | null };
  const notes = [
    `${output}: ${plural(text.split('\n').length - 1, 'line')} of session ${client.session}`,
    ...(cutBecause === null ? [] : [`begins later than the session: ${cutBecause}`]),
    ...(difference === null ? [] : [`does not play the same: ${difference}`]),
  ];
  return { data: manifest, text: printableLines(notes.join('\n')) };
}

/** What `replay` does. */
export async function replayFile(file: string, { until, open }: Options): Promise<Shown> {
  const { replay, goOn } = await import('../../server/app/replay.ts');
  const { BundleError } = await import('../../server/histories/bundle.ts');
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    throw new UsageError(`${file} ${messageOf(error)}`);
  }
  try {
    const { manifest, steps, difference, played } = await replay(text, typeof until === 'string' ? until : undefined);
    const begin = manifest.cutBecause === null ? '' : `begins later than the session: ${manifest.cutBecause}\n`;
    const result = difference ? textOfDifference(difference) : `the same: ${plural(steps.length, 'step')}`;
    const lines = difference ? linesUpTo(steps, difference) : [];
    const shown = printableLines(`${begin}${[...lines, result].join('\n')}`);
    if (open) {
      goOn(played);
      console.log(`${shown}\nit goes on at ${played.sandbox.sessionUrl(manifest.session)}`);
      await askedToEnd({ withParent: false });
    }
    await played.close();
    const data = { same: difference === undefined, steps: steps.length, difference: difference ?? null };
    return { data, text: open ? '' : shown, isFailure: difference !== undefined };
  } catch (error) {
    if (error instanceof BundleError || error instanceof FixtureError) {
      throw new UsageError(`it cannot be played: ${error.message}`);
    }
    throw error;
  }
}

/** The last steps before a difference, which are the same, and the one that is not. */
function linesUpTo(steps: readonly HistoryStep[], { step }: Difference): string[] {
  const wanted = step.replace(/ \(\d+\)$/, '');
  const at = steps.findLastIndex(({ of }) => of === wanted);
  return steps.slice(Math.max(0, at - 5), at + 1).map((each) => `${each.of === wanted ? '!' : ' '} ${lineOf(each)}`);
}

const lineOf = ({ at, line }: HistoryStep): string => `${at}  ${line}`;

function textOfDifference(difference: Difference): string {
  const { was, is } = sidesOf(difference, LONGEST_SIDE);
  const indented = (text: string) => text.replaceAll('\n', '\n  ');
  return `different: ${difference.step}, ${difference.part}\n- ${indented(was)}\n+ ${indented(is)}`;
}

/** What `diff` does. */
export async function compareSessions(client: SandboxClient, one: string, other: string): Promise<Shown> {
  const compared = await compareHistories((name, after) => client.inSession(name).history(after), { one, other });
  const difference = compared.first?.difference;
  const timelines = { [one]: compared.one.map(lineOf), [other]: compared.other.map(lineOf) };
  const data = { same: difference === undefined, difference: difference ?? null, timelines };
  if (!difference) {
    return { data, text: `${one} and ${other} are the same` };
  }
  const lines = [...besides(timelines[one] ?? [], timelines[other] ?? []), textOfDifference(difference)];
  return { data, text: printableLines(lines.join('\n')), isFailure: true };
}

const COLUMN = 76;

/** Two timelines beside each other, a line each. */
function besides(one: readonly string[], other: readonly string[]): string[] {
  const cut = (line = '') => (line.length > COLUMN ? `${line.slice(0, COLUMN - 1)}…` : line.padEnd(COLUMN));
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) =>
    `${cut(one[index])} | ${cut(other[index]).trimEnd()}`.trimEnd(),
  );
}
