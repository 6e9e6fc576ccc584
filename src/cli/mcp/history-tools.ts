import type { SandboxClient } from '../../client/client.ts';
import { coverageFrom } from '../commands/coverage.ts';
import { textOfCoverage } from '../commands/coverage-text.ts';
import { compareSessions, writeBundle } from '../commands/histories.ts';
import { type TextTool, text, toolsFrom } from './text-tools.ts';
import type { Tool } from './tools.ts';

/** THE TABLE of tools that files or several sessions are needed for; they do what the commands do. */
const ROWS: readonly TextTool[] = [
  {
    name: 'write_bundle',
    title: 'Write a bundle',
    description:
      'Writes what happened in the session to a file, secrets masked; a file of that name is overwritten; `merchant-sandbox open` shows it anywhere. Returns its manifest.',
    properties: { file: text('file to write, such as bug.ndjson'), session: text('session (default: yours)') },
    required: ['file'],
    isRead: false,
    isDestructive: true,
    isOpen: false,
    run: (client, { file, session }) => writeBundle(client.inSession(session ?? client.session), file),
  },
  {
    name: 'diff_sessions',
    title: 'Compare two sessions',
    description:
      'Returns the first step at which two sessions differ, for example a session and its fork, and both timelines.',
    properties: { one: text('first session'), other: text('second session') },
    required: ['one', 'other'],
    isRead: true,
    isDestructive: false,
    isOpen: false,
    run: (client, { one = '', other = '' }) => compareSessions(client, one, other),
  },
  {
    name: 'list_unseen_behaviours',
    title: 'List what the code under test has never seen',
    description:
      "Lists the provider's behaviours that the code under test has never seen since the sandbox was started, each with a line that tests it. Coverage is not correctness.",
    properties: {
      folder: text('folder to which test kits wrote their coverage (default: the running sandbox is asked)'),
    },
    required: [],
    isRead: true,
    isDestructive: false,
    isOpen: false,
    run: async (client, { folder }) => ({
      data: textOfCoverage(await coverageFrom(client, folder === undefined ? [] : [folder])),
    }),
  },
];

export function historyToolsOf(client: SandboxClient): Tool[] {
  return toolsFrom(ROWS, client);
}
