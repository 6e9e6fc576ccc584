import { namesIn } from '../../../base/members.ts';
import type { Cell, CellKey } from '../../../base/report/coverage-cells.ts';
import { replacesAnswer } from '../../../base/text/call-words.ts';
import type { Fault } from '../../domain/scenarios/scenario.ts';
import type { Operation } from '../../merchant-api/operation.ts';
import { OPERATIONS } from '../../merchant-api/operations.ts';
import { useRulesLine } from './source-code.ts';

type Kind = Fault['kind'];

/** The kinds of faults, with the additional members that they require in a rule. */
const REQUIRED_MEMBERS: Readonly<Record<Kind, Partial<Fault>>> = {
  reset: {},
  timeout: {},
  'empty-body': {},
  'malformed-body': {},
  status: { status: 503 },
  latency: { latency: 'PT2S' },
};

/** One cell for all faults that hide the success of a call, because a caller cannot distinguish them. */
const EFFECT_WITHOUT_ANSWER = 'done all the same';

/** A cell for each operation and fault, and one more for each operation that changes something: a change without an answer. */
export function faultCells(): Cell[] {
  const kinds = namesIn(REQUIRED_MEMBERS);
  return OPERATIONS.flatMap((operation) => [
    ...kinds.map((kind) => cellWithTry(operation, { at: 'before', kind, ...REQUIRED_MEMBERS[kind] })),
    ...(isWriting(operation) ? [cellWithTry(operation, { at: 'after', kind: 'reset' })] : []),
  ]);
}

function cellWithTry(operation: Operation, fault: Fault): Cell {
  const rule = { when: { operation: operation.name }, fault: { ...fault, times: 1 } };
  return { ...faultCell(operation, fault), try: useRulesLine(rule) };
}

export function faultCell(operation: Operation, { at, kind }: Fault): CellKey {
  const hasHiddenEffect = at === 'after' && replacesAnswer(kind) && isWriting(operation);
  return { class: 'faults', of: operation.name, what: hasHiddenEffect ? EFFECT_WITHOUT_ANSWER : kind };
}

function isWriting(operation: Operation): boolean {
  return 'handle' in operation;
}
