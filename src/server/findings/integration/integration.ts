import { INTEGRATION_KINDS, type IntegrationKind } from '../../../base/finding-kinds.ts';
import { RecentValues } from '../../../base/recent-values.ts';
import { type Finding, warningOf } from '../../../base/refusal.ts';
import type { Instant } from '../../../base/time.ts';
import type { Generation } from '../../sessions/generation.ts';
import { CALL_RULES } from './call-rules.ts';
import type { CallObservation, CallRule, ObservedCall } from './observed-call.ts';

/** Calls or records of a kind of finding that are named; of more only how often it was seen. */
export const MAX_NAMED_SUBJECTS = 20;

/** What a later question may take back; the newest of these are kept. */
const MAX_PENDING = 1000;

/** All that was seen of one kind. */
export interface CountedFinding {
  kind: IntegrationKind;
  count: number;
  /** What was expected and received, the first time. */
  first: Pick<Finding, 'path' | 'expected' | 'received'>;
  calls: readonly string[];
  /** Payments or deliveries. */
  records: readonly string[];
}

/** What a session shows of the code that works with it, since it began or was reset. */
export class IntegrationFindings {
  readonly #rules: readonly CallRule[] = CALL_RULES.map((begin) => begin());
  readonly #found = new Map<IntegrationKind, CountedFinding>();
  readonly #pending: (CallObservation & { at: Instant })[] = [];
  readonly #queriedAt = new RecentValues<Instant>();

  /** Looks at a call before it is answered, but not for what is ignored. Returns what is seen for the first time. */
  observe(call: ObservedCall, ignored: ReadonlySet<string>): Finding[] {
    if (call.operation === 'getPaymentStatus' && call.isAnswered && call.reference !== null) {
      this.#queriedAt.set(call.reference, call.at);
    }
    const found: Finding[] = [];
    for (const rule of this.#rules) {
      const observation = rule(call);
      const finding =
        observation && !ignored.has(INTEGRATION_KINDS[observation.kind].id)
          ? this.#recordOrDefer(observation, call.at)
          : undefined;
      if (finding) {
        found.push(finding);
      }
    }
    return found;
  }

  #recordOrDefer(observation: CallObservation, at: Instant): Finding | undefined {
    if (observation.clearedByStatusQuery === undefined) {
      return this.record(observation);
    }
    this.#pending.push({ ...observation, at });
    this.#pending.splice(0, this.#pending.length - MAX_PENDING);
    return undefined;
  }

  /** Notes what was seen. Returns it as a finding the first time. */
  record(observation: CallObservation): Finding | undefined {
    const { kind } = observation;
    const known = this.#found.get(kind);
    const found = withObservation(known, observation);
    this.#found.set(kind, found);
    return known ? undefined : warningOf(kind, found.first);
  }

  /** What was seen in calls, without what the code has asked for since. */
  get seen(): readonly CountedFinding[] {
    const all = new Map(this.#found);
    for (const { at, ...observation } of this.#pending) {
      const asked = this.lastQueryAt([observation.clearedByStatusQuery ?? null]);
      if (asked === undefined || asked < at) {
        all.set(observation.kind, withObservation(all.get(observation.kind), observation));
      }
    }
    return [...all.values()];
  }

  /** When the status was asked for last by any of these names of a payment; undefined where it never was. */
  lastQueryAt(references: readonly (string | null)[]): Instant | undefined {
    const instants = references.flatMap((reference) => this.#queriedAt.get(reference ?? '') ?? []);
    return instants.length === 0 ? undefined : Math.max(...instants);
  }
}

function withObservation(
  known: CountedFinding | undefined,
  { kind, path, expected, received, calls, records = [] }: CallObservation,
): CountedFinding {
  return {
    kind,
    count: (known?.count ?? 0) + 1,
    first: known?.first ?? { path, expected, received },
    calls: firstSubjects(known?.calls, calls),
    records: firstSubjects(known?.records, records),
  };
}

function firstSubjects(known: readonly string[] | undefined, more: readonly string[]): string[] {
  return [...new Set([...(known ?? []), ...more])].slice(0, MAX_NAMED_SUBJECTS);
}

const integrations = new WeakMap<Generation, IntegrationFindings>();

/** The integration findings of a session; a reset clears them. */
export function integrationFindingsOf(generation: Generation): IntegrationFindings {
  const known = integrations.get(generation) ?? new IntegrationFindings();
  integrations.set(generation, known);
  return known;
}
