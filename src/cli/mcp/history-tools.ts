import type { SandboxClient } from '../../client/client.ts';
import { coverageFrom } from '../commands/coverage.ts';
import { textOfCoverage } from '../commands/coverage-text.ts';
import { compareSessions, replayFile, writeBundle } from '../commands/histories.ts';
import { type TextTool, text, toolsFrom } from './text-tools.ts';
import type { Tool } from './tools.ts';

/** THE TABLE of tools that files or several sessions are needed for; they do what the commands do. */
const ROWS: readonly TextTool[] = [
  {
    name: 'write_bundle',
    title: 'Write the history to a file',
    description:
      'Writes all that came from outside to a file, in its order, secrets replaced; `merchant-sandbox replay` plays it anywhere. Answers with its manifest.',
    properties: { file: text('where to write it, such as bug.ndjson'), session: text('the session; left out, yours') },
    required: ['file'],
    isRead: false,
    run: (client, { file, session }) => writeBundle(client.inSession(session ?? client.session), file),
  },
  {
    name: 'replay_bundle',
    title: 'Play a bundle',
    description:
      'Plays a bundle in a sandbox of its own and compares every answer and notification to the byte. Answers whether it is the same, and the first difference.',
    properties: { file: text('the bundle'), until: text('the last step to play, such as request-17; left out, all') },
    required: ['file'],
    isRead: true,
    run: (_client, { file = '', until }) => replayFile(file, { until }),
  },
  {
    name: 'diff_sessions',
    title: 'Compare two sessions',
    description:
      'Names the first step at which two sessions differ, such as a session and its fork, and both timelines.',
    properties: { one: text('a session'), other: text('another one') },
    required: ['one', 'other'],
    isRead: true,
    run: (client, { one = '', other = '' }) => compareSessions(client, one, other),
  },
  {
    name: 'list_unseen_behaviours',
    title: 'List what the code under test has never seen',
    description:
      "Lists the provider's behaviours that the code under test has never seen since the sandbox started, each with the line of a test that would try it. Coverage is not correctness.",
    properties: { folder: text('where test kits wrote their coverage; left out, the running sandbox is asked') },
    required: [],
    isRead: true,
    run: async (client, { folder }) => ({
      data: textOfCoverage(await coverageFrom(client, folder === undefined ? [] : [folder])),
    }),
  },
];

export function historyToolsOf(client: SandboxClient): Tool[] {
  return toolsFrom(ROWS, client);
}
