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
export class Integration {
  readonly #rules: readonly CallRule[] = CALL_RULES.map((begin) => begin());
  readonly #seen = new Map<IntegrationKind, CountedFinding>();
  readonly #pending: (CallObservation & { at: Instant })[] = [];
  readonly #askedAt = new RecentValues<Instant>();

  /** Looks at a call before it is answered, but not for what is ignored. Returns what is seen for the first time. */
  see(call: ObservedCall, ignored: ReadonlySet<string>): Finding[] {
    if (call.operation === 'getPaymentStatus' && call.isAnswered && call.reference !== null) {
      this.#askedAt.set(call.reference, call.at);
    }
    const found: Finding[] = [];
    for (const rule of this.#rules) {
      const observation = rule(call);
      const finding =
        observation && !ignored.has(INTEGRATION_KINDS[observation.kind].id)
          ? this.#take(observation, call.at)
          : undefined;
      if (finding) {
        found.push(finding);
      }
    }
    return found;
  }

  #take(observation: CallObservation, at: Instant): Finding | undefined {
    if (observation.clearedByStatusQuery === undefined) {
      return this.note(observation);
    }
    this.#pending.push({ ...observation, at });
    this.#pending.splice(0, this.#pending.length - MAX_PENDING);
    return undefined;
  }

  /** Notes what was seen. Returns it as a finding the first time. */
  note(observation: CallObservation): Finding | undefined {
    const { kind } = observation;
    const known = this.#seen.get(kind);
    const seen = added(known, observation);
    this.#seen.set(kind, seen);
    return known ? undefined : warningOf(kind, seen.first);
  }

  /** What was seen in calls, without what the code has asked for since. */
  get seen(): readonly CountedFinding[] {
    const all = new Map(this.#seen);
    for (const { at, ...observation } of this.#pending) {
      const asked = this.askedAt([observation.clearedByStatusQuery ?? null]);
      if (asked === undefined || asked < at) {
        all.set(observation.kind, added(all.get(observation.kind), observation));
      }
    }
    return [...all.values()];
  }

  /** When the status was asked for last by any of these names of a payment; undefined where it never was. */
  askedAt(references: readonly (string | null)[]): Instant | undefined {
    const instants = references.flatMap((reference) => this.#askedAt.get(reference ?? '') ?? []);
    return instants.length === 0 ? undefined : Math.max(...instants);
  }
}

function added(
  known: CountedFinding | undefined,
  { kind, path, expected, received, calls, records = [] }: CallObservation,
): CountedFinding {
  return {
    kind,
    count: (known?.count ?? 0) + 1,
    first: known?.first ?? { path, expected, received },
    calls: named(known?.calls, calls),
    records: named(known?.records, records),
  };
}

function named(known: readonly string[] | undefined, more: readonly string[]): string[] {
  return [...new Set([...(known ?? []), ...more])].slice(0, MAX_NAMED_SUBJECTS);
}

const integrations = new WeakMap<Generation, Integration>();

/** The integration findings of a session; a reset clears them. */
export function integrationOf(generation: Generation): Integration {
  const known = integrations.get(generation) ?? new Integration();
  integrations.set(generation, known);
  return known;
}
