import { isMembers } from '../../base/members.ts';
import { OPERATIONS } from '../../entry-points/merchant-api/operations.ts';
import { headerOf, jsonOf } from '../body.ts';
import type { ComparedCall } from '../drift/answer-comparison.ts';
import { leavesOf, mapLeaves } from '../leaves.ts';
import { type Source, type Votes, votesIn } from './votes.ts';

/** `refused: wrong-credentials (SBX-R03)`, as the sandbox says in a header. */
const REFUSED = /^refused: ([\w-]+) /;
/** Members that say in words what was wrong: the first of these that a body has. */
const MESSAGES = ['errorMessage', 'message', 'error_description', 'description', 'detail', 'reason', 'error', 'title'];
/** By operation: the envelope of its refusals. */
export const ENVELOPES = new Map(OPERATIONS.map(({ name, envelope }) => [name as string, envelope]));

/** What a service answers to any call for a while, and what says nothing about the one at hand. */
const PASSING: readonly number[] = [429, 502, 503, 504];

/** Gathers how calls were refused that the sandbox refused, too. */
export class ObservedRefusals {
  /** HTTP statuses, by the sandbox's kind of refusal. */
  readonly statuses = new Map<string, Votes<number>>();
  /** Bodies as templates, by the envelope that the sandbox used. */
  readonly envelopes = new Map<string, Votes<unknown>>();

  add({ recorded, replayed, operation }: ComparedCall, source: Source): void {
    const kind = REFUSED.exec(headerOf(replayed.answer?.headers ?? [], 'x-sandbox-outcome') ?? '')?.[1];
    const { answer } = recorded.exchange;
    const isOfCaller = answer?.status === 401 && ![401, 403].includes(replayed.answer?.status ?? 0);
    if (kind === undefined || !answer || answer.status < 400 || PASSING.includes(answer.status) || isOfCaller) {
      return;
    }
    votesIn(this.statuses, kind).add(answer.status, source);
    const [envelope, body] = [ENVELOPES.get(operation ?? ''), jsonOf(answer.body)];
    if (envelope !== undefined && isMembers(body)) {
      votesIn(this.envelopes, envelope).add(templateOf(body, answer.status), source);
    }
  }
}

function templateOf(body: object, status: number): unknown {
  const texts = [...leavesOf(body)].filter(({ value }) => typeof value === 'string').map(({ name }) => name);
  const message = MESSAGES.find((name) => texts.includes(name));
  return mapLeaves(body, ({ name, value }) => {
    if (typeof value === 'string') {
      // What looks like a placeholder in the recording is none.
      return name === message ? '{{message}}' : value.replaceAll('{{', '\\{{');
    }
    return value === status ? '{{status}}' : value;
  });
}
