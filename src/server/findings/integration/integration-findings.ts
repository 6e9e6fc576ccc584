import { INTEGRATION_KINDS, type IntegrationKind } from '../../../base/finding-kinds.ts';
import { RecentValues } from '../../../base/recent-values.ts';
import { type Finding, warningOf } from '../../../base/refusal.ts';
import type { Instant } from '../../../base/time.ts';
import type { Generation } from '../../sessions/generation.ts';
import { CALL_RULES } from './call-rules.ts';
import type { CallObservation, CallRule, ObservedCall } from './observed-call.ts';

/** The maximum number of calls, and of records, that a finding lists. */
export const MAX_NAMED_SUBJECTS = 20;

/** The maximum number of observations that wait for a status query. It bounds memory. */
const MAX_PENDING = 1000;

export interface CountedFinding {
  kind: IntegrationKind;
  count: number;
  /** From the first observation. */
  first: Pick<Finding, 'path' | 'expected' | 'received'>;
  calls: readonly string[];
  /** Ids of payments or deliveries. */
  records: readonly string[];
}

/** The findings about the code that uses a session, in one generation. */
export class IntegrationFindings {
  readonly #rules: readonly CallRule[] = CALL_RULES.map((newRule) => newRule());
  readonly #byKind = new Map<IntegrationKind, CountedFinding>();
  readonly #pending: (CallObservation & { at: Instant })[] = [];
  readonly #queriedAt = new RecentValues<Instant>();

  /** Examines a call before it is answered. Returns the findings that are the first of their kind; ignored kinds are not recorded. */
  observe(call: ObservedCall, ignored: ReadonlySet<string>): Finding[] {
    if (call.operation === 'getPaymentStatus' && call.reference !== null) {
      this.#queriedAt.set(call.reference, call.at);
    }
    const findings: Finding[] = [];
    for (const rule of this.#rules) {
      const observation = rule(call);
      const finding =
        observation && !ignored.has(INTEGRATION_KINDS[observation.kind].id)
          ? this.#recordOrDefer(observation, call.at)
          : undefined;
      if (finding) {
        findings.push(finding);
      }
    }
    return findings;
  }

  #recordOrDefer(observation: CallObservation, at: Instant): Finding | undefined {
    if (observation.clearedByStatusQuery === undefined) {
      return this.record(observation);
    }
    this.#pending.push({ ...observation, at });
    this.#pending.splice(0, this.#pending.length - MAX_PENDING);
    return undefined;
  }

  /** Counts an observation. Returns a finding if it is the first of its kind. */
  record(observation: CallObservation): Finding | undefined {
    const { kind } = observation;
    const previous = this.#byKind.get(kind);
    const finding = withObservation(previous, observation);
    this.#byKind.set(kind, finding);
    return previous ? undefined : warningOf(kind, finding.first);
  }

  /** The findings, without those that a later status query removed. */
  get findings(): readonly CountedFinding[] {
    const findings = new Map(this.#byKind);
    for (const { at, ...observation } of this.#pending) {
      const queriedAt = this.lastQueryAt([observation.clearedByStatusQuery ?? null]);
      if (queriedAt === undefined || queriedAt < at) {
        findings.set(observation.kind, withObservation(findings.get(observation.kind), observation));
      }
    }
    return [...findings.values()];
  }

  /** Includes queries whose answer did not reach the code because of a fault. */
  lastQueryAt(references: readonly (string | null)[]): Instant | undefined {
    const instants = references.flatMap((reference) => this.#queriedAt.get(reference ?? '') ?? []);
    return instants.length === 0 ? undefined : Math.max(...instants);
  }
}

function withObservation(
  previous: CountedFinding | undefined,
  { kind, path, expected, received, calls, records = [] }: CallObservation,
): CountedFinding {
  return {
    kind,
    count: (previous?.count ?? 0) + 1,
    first: previous?.first ?? { path, expected, received },
    calls: firstSubjects(previous?.calls, calls),
    records: firstSubjects(previous?.records, records),
  };
}

function firstSubjects(subjects: readonly string[] | undefined, more: readonly string[]): string[] {
  return [...new Set([...(subjects ?? []), ...more])].slice(0, MAX_NAMED_SUBJECTS);
}

const integrations = new WeakMap<Generation, IntegrationFindings>();

export function integrationFindingsOf(generation: Generation): IntegrationFindings {
  let findings = integrations.get(generation);
  if (!findings) {
    findings = new IntegrationFindings();
    integrations.set(generation, findings);
  }
  return findings;
}
