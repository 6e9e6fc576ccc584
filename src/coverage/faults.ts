import type { Fault } from '../domain/scenarios/scenario.ts';
import type { Operation } from '../entry-points/merchant-api/operation.ts';
import { OPERATIONS } from '../entry-points/merchant-api/operations.ts';
import type { Cell, Place } from './cells.ts';
import { followRule } from './code.ts';

/** What can strike a call, by how whoever calls sees it. */
const FAULTS = {
  reset: { at: 'before', kind: 'reset' },
  timeout: { at: 'before', kind: 'timeout' },
  'empty body': { at: 'before', kind: 'empty-body' },
  'malformed body': { at: 'before', kind: 'malformed-body' },
  'error status': { at: 'before', kind: 'status', status: 503 },
  latency: { at: 'before', kind: 'latency', latency: 'PT2S' },
} as const satisfies Record<string, Fault>;

/** Where a call has done its work and its answer does not say so, one way of that is as good as another. */
const DONE = 'done all the same';
const LOST: Fault = { at: 'after', kind: 'reset' };

/** Each operation with each fault; one that changes something may have done so all the same. */
export function faults(): Cell[] {
  return OPERATIONS.flatMap((operation) =>
    Object.entries({ ...FAULTS, ...(isWriting(operation) ? { [DONE]: LOST } : {}) }).map(([what, fault]) => ({
      class: 'faults' as const,
      of: operation.name,
      what,
      try: followRule({ when: { operation: operation.name }, fault: { ...fault, times: 1 } }),
    })),
  );
}

/** What a call was struck by. */
export function faultOf(operation: Operation, { at, kind }: Fault): Place {
  const isDone = at === 'after' && kind !== 'latency' && isWriting(operation);
  const [what = kind] = Object.entries(FAULTS).find(([, fault]) => fault.kind === kind) ?? [];
  return { class: 'faults', of: operation.name, what: isDone ? DONE : what };
}

function isWriting(operation: Operation): boolean {
  return 'handle' in operation;
}
