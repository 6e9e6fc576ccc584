import { evidenceOf, headingOf } from '../../base/report/report-words.ts';
import { plural } from '../../base/text/plural.ts';
import { printable } from '../../base/text/printable.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { ShownFinding } from '../../client/shown.ts';
import type { Command } from '../../command/command.ts';
import { type CommonFinding, mergeFindings, readEachSession } from './findings-of-all.ts';

/** How many sessions of a finding are shown, and how many calls and records of each. */
const [MAX_SESSIONS, MAX_EVIDENCE] = [5, 4];

export const FINDINGS_COMMAND: Command = {
  name: 'findings',
  parameters: [],
  options: [
    { flags: '--strict', help: 'exit with 1 if there are findings' },
    { flags: '--all-sessions', help: 'list findings of all sessions, each kind once' },
  ],
  help: 'list mistakes in your integration that were not refused',
  async run(client, _words, { strict, allSessions }) {
    const isAllSessions = allSessions === true;
    const findings = isAllSessions
      ? mergeFindings(await readEachSession(client, listFindings))
      : (await listFindings(client)).findings;
    const where = isAllSessions ? 'all sessions' : 'this session';
    const emptyText = `no findings so far in ${where}; merchant-sandbox report also counts calls that were refused`;
    const text = findings.length === 0 ? emptyText : findings.map(textOfFinding).join('\n\n');
    return { data: findings, text, isFailure: strict === true && findings.length > 0 };
  },
};

async function listFindings(client: SandboxClient) {
  return { session: client.session, findings: (await client.list<ShownFinding>('findings')).items };
}

export function textOfFinding(finding: ShownFinding | CommonFinding): string {
  const { id, meaning, advice } = finding;
  const scope = 'sessions' in finding ? `, in ${plural(finding.sessions.length, 'session')}` : '';
  const lines = [meaning, ...linesOfEvidence(finding), `What to do: ${advice}`].map((line) => `  ${line}`);
  return [`${id}  ${headingOf(finding)}${scope}`, ...lines].map(printable).join('\n');
}

/** The evidence of a finding; for several sessions, only the evidence in the first ones. */
export function linesOfEvidence(finding: ShownFinding | CommonFinding): string[] {
  if (!('sessions' in finding)) {
    return [evidenceOf(finding)];
  }
  const listed = finding.sessions.slice(0, MAX_SESSIONS);
  const omitted = finding.sessions.length - listed.length;
  return [
    ...listed.map((each) => `${each.session}: ${evidenceOf(each, MAX_EVIDENCE)}`),
    ...(omitted > 0 ? [`and in ${omitted} more (listed by --json)`] : []),
  ];
}
