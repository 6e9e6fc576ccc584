import { namesIn } from '../../../base/members.ts';
import type { Cell, CellKey } from '../../../base/report/coverage-cells.ts';
import type { Fault } from '../../domain/scenarios/scenario.ts';
import type { Operation } from '../../merchant-api/operation.ts';
import { OPERATIONS } from '../../merchant-api/operations.ts';
import { useRulesLine } from './code.ts';

type Kind = Fault['kind'];

/** What can strike a call, with what else a rule says of it. */
const KINDS: Readonly<Record<Kind, Partial<Fault>>> = {
  reset: {},
  timeout: {},
  'empty-body': {},
  'malformed-body': {},
  status: { status: 503 },
  latency: { latency: 'PT2S' },
};

/** Where a call has done its work and its answer does not say so, one way of that is as good as another. */
const DONE = 'done all the same';

/** Each operation with each fault; one that changes something may have done so all the same. */
export function faults(): Cell[] {
  const kinds = namesIn(KINDS);
  return OPERATIONS.flatMap((operation) => [
    ...kinds.map((kind) => withTry(operation, { at: 'before', kind, ...KINDS[kind] })),
    ...(isWriting(operation) ? [withTry(operation, { at: 'after', kind: 'reset' })] : []),
  ]);
}

function withTry(operation: Operation, fault: Fault): Cell {
  const rule = { when: { operation: operation.name }, fault: { ...fault, times: 1 } };
  return { ...faultCell(operation, fault), try: useRulesLine(rule) };
}

/** What a call was struck by. */
export function faultCell(operation: Operation, { at, kind }: Fault): CellKey {
  const isDone = at === 'after' && kind !== 'latency' && isWriting(operation);
  return { class: 'faults', of: operation.name, what: isDone ? DONE : kind };
}

function isWriting(operation: Operation): boolean {
  return 'handle' in operation;
}
