import { evidenceOf, headingOf } from '../../base/report/report-words.ts';
import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownFinding } from '../../client/shown.ts';
import type { Command } from '../../command/command.ts';
import { type CommonFinding, findingsOfAll } from './findings-of-all.ts';

/** How many sessions of a finding are shown, and how many calls and records of each. */
const [MAX_SESSIONS, MAX_EVIDENCE] = [5, 4];

/** Shows mistakes of the code that uses the session, for which no call was refused. */
export const FINDINGS_COMMAND: Command = {
  name: 'findings',
  parameters: [],
  options: [
    { flags: '--strict', help: 'exit with 1 if there are any' },
    { flags: '--all-sessions', help: 'list those of all sessions, each kind once' },
  ],
  help: 'list mistakes in your integration for which no request was refused',
  async run(client, _words, { strict, allSessions }) {
    const { findings, texts, where } = await (allSessions === true ? foundInAll(client) : foundInOne(client));
    const text = texts.length === 0 ? `no findings so far in ${where}` : texts.join('\n\n');
    return { data: findings, text, isFailure: strict === true && findings.length > 0 };
  },
};

async function foundInOne(client: SandboxClient) {
  const { items: findings } = await client.list<ShownFinding>('findings');
  return { findings, texts: findings.map(textOfFinding), where: 'this session' };
}

async function foundInAll(client: SandboxClient) {
  const findings = await findingsOfAll(client);
  return { findings, texts: findings.map(textOfCommonFinding), where: 'all sessions' };
}

export function textOfFinding(finding: ShownFinding): string {
  return textOf(finding, headingOf(finding), [evidenceOf(finding)]);
}

function textOfCommonFinding(finding: CommonFinding): string {
  const { sessions } = finding;
  const shown = sessions.slice(0, MAX_SESSIONS);
  const more = sessions.length - shown.length;
  return textOf(finding, `${headingOf(finding)}, in ${plural(sessions.length, 'session')}`, [
    ...shown.map((each) => `${each.session}: ${evidenceOf(each, MAX_EVIDENCE)}`),
    ...(more > 0 ? [`and in ${more} more (listed by --json)`] : []),
  ]);
}

function textOf(
  { id, meaning, advice }: Pick<ShownFinding, 'id' | 'meaning' | 'advice'>,
  heading: string,
  evidence: readonly string[],
): string {
  return [`${id}  ${heading}`, ...[meaning, ...evidence, `What to do: ${advice}`].map((line) => `  ${line}`)]
    .map(printable)
    .join('\n');
}
