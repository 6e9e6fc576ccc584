import { CALL_KINDS } from '../../base/finding-kinds.ts';
import type { IntegrationFinding } from '../../base/schema/generated/control.ts';
import { type Case, caseIdOf } from '../cases/case.ts';
import type { Observation } from '../observation/observation.ts';
import type { Subject } from '../scope.ts';

/** Findings that invariants judge by more evidence, that the examination causes, or that only say that there are more findings. */
const NOT_REPORTED: ReadonlySet<string> = new Set([
  'outcome-never-learned',
  'forgery-acknowledged',
  'ambiguous-settle',
  'more-findings',
]);

/** A finding of the sandbox about the shop's calls and answers, with the first case that shows it. */
export interface SessionFinding
  extends Pick<IntegrationFinding, 'id' | 'name' | 'meaning' | 'advice' | 'expected' | 'received'> {
  situation: string;
  channel: string;
}

/** The findings of all orders of an examination, each once. Collected here, because the records of an order are deleted before the next one. */
export class SessionFindings {
  readonly #found = new Map<string, SessionFinding>();
  readonly #subject: Subject;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  get all(): SessionFinding[] {
    return [...this.#found.values()].toSorted((one, other) => one.id.localeCompare(other.id));
  }

  /** Ignores the findings in a probe, which requests the payments itself. */
  add(testCase: Case, channel: string, observation: Pick<Observation, 'findings' | 'requests'> | undefined): void {
    if (this.#subject !== 'shop' || !observation) {
      return;
    }
    const { findings = [], requests } = observation;
    for (const { id, name, meaning, advice, expected, received } of [...findings, ...callFindingsIn(requests)]) {
      if (!this.#found.has(id) && !NOT_REPORTED.has(name)) {
        this.#found.set(id, { id, name, meaning, advice, expected, received, situation: caseIdOf(testCase), channel });
      }
    }
  }
}

/** Findings that did not lead to the refusal of their call, such as unknown fields. */
function callFindingsIn(requests: Observation['requests']) {
  const all = requests.flatMap(({ findings }) => findings);
  return all.flatMap(({ id: wanted, path, expected, received }) =>
    Object.entries(CALL_KINDS)
      .filter(([, { id }]) => id === wanted)
      .map(([name, facts]) => ({ ...facts, name, expected: `${expected} at ${path}`, received })),
  );
}
