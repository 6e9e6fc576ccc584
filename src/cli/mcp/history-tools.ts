import type { SandboxClient } from '../../client/client.ts';
import { compareSessions, replayFile, writeBundle } from '../commands/histories.ts';
import type { Tool } from './tools.ts';

const text = (description: string) => ({ type: 'string', description });

interface Row extends Pick<Tool, 'name' | 'title' | 'description'> {
  properties: Record<string, { type: string; description: string }>;
  required: readonly string[];
  isRead: boolean;
  run(client: SandboxClient, given: Readonly<Record<string, string>>): Promise<{ data: unknown }>;
}

/** THE TABLE of tools that files or several sessions are needed for; they do what the commands do. */
const ROWS: readonly Row[] = [
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
];

export function historyToolsOf(client: SandboxClient): Tool[] {
  return ROWS.map(({ properties, required, isRead, run, ...facts }) => ({
    ...facts,
    inputSchema: { type: 'object', properties, required: [...required], additionalProperties: false },
    annotations: { readOnlyHint: isRead, destructiveHint: false, openWorldHint: false },
    async call(given) {
      const texts = checked(facts.name, given, Object.keys(properties), required);
      const { data } = await run(client, texts);
      return JSON.stringify(data);
    },
  }));
}

/** Throws where something is missing, unknown or no text. */
function checked(
  name: string,
  given: Readonly<Record<string, unknown>>,
  known: readonly string[],
  required: readonly string[],
): Record<string, string> {
  const entries = Object.entries(given);
  const wrong = entries.filter(([member, value]) => !known.includes(member) || typeof value !== 'string');
  const missing = required.filter((member) => given[member] === undefined);
  if (wrong.length > 0 || missing.length > 0) {
    const words = missing.length > 0 ? `needs ${missing.join(', ')}` : `takes texts as ${known.join(', ')}`;
    throw new Error(`${name} ${words}`);
  }
  return Object.fromEntries(entries.map(([member, value]) => [member, String(value)]));
}
