import { evidenceOf, timesOf } from '../../base/report/report-words.ts';
import { printable } from '../../base/text/printable.ts';
import type { ShownFinding } from '../../client/shown.ts';
import type { Command } from './command.ts';

/** Says what the code that works with the session does wrong without being refused. */
export const FINDINGS_COMMAND: Command = {
  name: 'findings',
  parameters: [],
  options: [{ flags: '--strict', help: 'exit with 1 where there is one' }],
  help: 'list what your code does that is a mistake in the making, though no call is refused for it',
  suggest: async () => [],
  async run(client, _words, { strict }) {
    const { items: findings } = await client.list<ShownFinding>('findings');
    const text =
      findings.length === 0
        ? 'nothing was found in what the session has seen so far'
        : findings.map(textOfFinding).join('\n\n');
    return { data: findings, text, ...(strict === true && findings.length > 0 ? { isFailure: true } : {}) };
  },
};

export function textOfFinding(finding: ShownFinding): string {
  const { id, meaning, advice } = finding;
  return [`${id}  ${timesOf(finding)}`, `  ${meaning}`, `  ${evidenceOf(finding)}`, `  What to do: ${advice}`]
    .map(printable)
    .join('\n');
}
