import { compareHistories, type StepDifference, sidesOf } from '../../base/compare-histories.ts';
import type { HistoryStep } from '../../base/schema/generated/control.ts';
import { plural } from '../../base/text/plural.ts';
import { printable, printableLines } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import { type Command, type CommandResult, type Options, UsageError } from '../../command/command.ts';
import { writeOutputFile } from '../../command/output-file.ts';
import { suggestSessions } from '../../command/suggestion.ts';

/** Characters of each side of a difference in the text; `--json` has all. */
const MAX_SIDE_LENGTH = 2000;

export const HISTORY_COMMANDS: readonly Command[] = [
  {
    name: 'bundle',
    parameters: ['[session]'],
    options: [{ flags: '-o, --output <file>', help: 'file to write (default: standard output)' }],
    help: 'write the history of a session to a file for `open`, with secrets masked',
    suggest: (client, args) => (args.length === 0 ? suggestSessions(client) : []),
    run: async (client, [name], { output }) => writeBundle(client.inSession(name ?? client.session), output),
  },
  {
    name: 'fork',
    parameters: ['[session]'],
    options: [
      { flags: '--at <step>', help: 'last step to copy, such as request-17 (default: the latest)' },
      { flags: '--as <name>', help: 'name of the new session' },
    ],
    help: 'copy a session as it was after a step, into a new session',
    suggest: (client, args) => (args.length === 0 ? suggestSessions(client) : []),
    async run(client, [name = client.session], { at, as }) {
      if (typeof as !== 'string') {
        throw new UsageError('fork needs --as <name>, the name of the new session');
      }
      const fork = await client.fork(name, { as, ...(typeof at === 'string' ? { at } : {}) });
      const { forkedFrom } = fork;
      const from = `from ${forkedFrom?.session ?? name} after ${forkedFrom?.at ?? 'its last step'}`;
      const lines = [
        `${fork.name}, ${from}, at ${fork.now}: ${fork.url}`,
        `Notifications to servers are held: merchant-sandbox resume --session ${fork.name} sends them.`,
      ];
      return { data: fork, text: lines.map(printable).join('\n') };
    },
  },
  {
    name: 'diff',
    parameters: ['<one>', '<other>'],
    help: 'show the first step at which two sessions differ',
    suggest: (client, args) => (args.length < 2 ? suggestSessions(client) : []),
    run: (client, [one = '', other = '']) => compareSessions(client, one, other),
  },
];

async function writeBundle(client: SandboxClient, output: Options[string]): Promise<CommandResult> {
  const text = await client.bundle();
  const manifest: unknown = JSON.parse(text.slice(0, text.indexOf('\n')));
  if (typeof output !== 'string') {
    return { data: manifest, text: text.trimEnd() };
  }
  writeOutputFile(output, text);
  const { cutBecause } = manifest as { cutBecause: string | null };
  const notes = [
    `${output}: ${plural(text.split('\n').length - 1, 'line')} of session ${client.session}`,
    ...(cutBecause === null ? [] : [`its history begins later than the session: ${cutBecause}`]),
  ];
  return { data: manifest, text: printableLines(notes.join('\n')) };
}

const lineOf = ({ at, line }: HistoryStep): string => `${at}  ${line}`;

function textOfDifference(difference: StepDifference): string {
  const { was, is } = sidesOf(difference, MAX_SIDE_LENGTH);
  const indented = (text: string) => text.replaceAll('\n', '\n  ');
  return `different: ${difference.step}, ${difference.part}\n- ${indented(was)}\n+ ${indented(is)}`;
}

async function compareSessions(client: SandboxClient, one: string, other: string): Promise<CommandResult> {
  const comparison = await compareHistories((name, after) => client.inSession(name).history(after), { one, other });
  const difference = comparison.first?.difference;
  const timelines = { [one]: comparison.one.map(lineOf), [other]: comparison.other.map(lineOf) };
  const data = { same: difference === undefined, difference: difference ?? null, timelines };
  if (!difference) {
    return { data, text: `${one} and ${other} are the same` };
  }
  const lines = [...inColumns(timelines[one] ?? [], timelines[other] ?? []), textOfDifference(difference)];
  return { data, text: printableLines(lines.join('\n')), isFailure: true };
}

const COLUMN_WIDTH = 76;

function inColumns(one: readonly string[], other: readonly string[]): string[] {
  const cut = (line = '') =>
    line.length > COLUMN_WIDTH ? `${line.slice(0, COLUMN_WIDTH - 1)}…` : line.padEnd(COLUMN_WIDTH);
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) =>
    `${cut(one[index])} | ${cut(other[index]).trimEnd()}`.trimEnd(),
  );
}
