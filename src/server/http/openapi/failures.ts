import { REFUSAL_KINDS, type RefusalKind } from '../../../base/refusal-kinds.ts';

/** Another status that an operation may answer with, such as that of a refusal. */
export interface DescribedFailure {
  status: number;
  description: string;
  example: unknown;
}

/** Refusals that a call of any operation can get, in any entry point. */
export const COMMON_REFUSALS: readonly RefusalKind[] = [
  'invalid-field',
  'forbidden-origin',
  'session-ended',
  'too-many-sessions',
  'internal-error',
  'moved',
  'stopping',
  'storage',
  'overloaded',
  'unreadable-session',
  'outcome-unknown',
];
/** Additional refusals of calls that have a body. */
export const BODY_REFUSALS: readonly RefusalKind[] = ['malformed-body', 'body-too-large', 'wrong-media-type'];

/** The form of an entry point's refusals. */
export interface FailureForm {
  kinds: readonly RefusalKind[];
  statusOf(kind: RefusalKind): number;
  bodyOf(kind: RefusalKind, status: number, message: string): unknown;
}

/** One failure for each status, with all its meanings, because the document has one description for each status. */
export function failuresOf(
  refusals: readonly RefusalKind[],
  { kinds, statusOf, bodyOf }: FailureForm,
): DescribedFailure[] {
  const statuses = [...new Set(refusals.map(statusOf))].sort((a, b) => a - b);
  return statuses.flatMap((status) => {
    const kindsOfStatus = kinds.filter((kind) => statusOf(kind) === status);
    const [first] = kindsOfStatus;
    const description = kindsOfStatus.map((kind) => REFUSAL_KINDS[kind].meaning).join(' Or: ');
    return first === undefined
      ? []
      : [{ status, description, example: bodyOf(first, status, REFUSAL_KINDS[first].meaning) }];
  });
}
