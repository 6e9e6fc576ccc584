import { membersOf } from '../base/members.ts';
import type { Difference, RecordedCall } from '../base/schema/generated/recordings.ts';
import { type Fixtures, routesOf } from '../server/index.ts';
import { jsonOf } from './body.ts';
import { sentLeavesOf } from './leaves.ts';

/** The operation, channel and environment of a call; null if unknown. */
export interface CallKind extends Pick<Difference, 'operation' | 'channel' | 'environment'> {}

const UNKNOWN: CallKind = { operation: null, channel: null, environment: null };

export class CallKinds {
  readonly #routes: readonly { pattern: RegExp; route: ReturnType<typeof routesOf>[number] }[];
  readonly #fixtures: Fixtures;

  constructor(fixtures: Fixtures) {
    this.#fixtures = fixtures;
    this.#routes = routesOf(fixtures).map((route) => ({ pattern: patternOf(route.path), route }));
  }

  classify(call: RecordedCall): CallKind {
    const path = call.target.replace(/\?.*$/s, '').replace(/^\/s\/[^/]+/, '');
    const match = this.#routes.find(({ pattern, route }) => route.method === call.method && pattern.test(path));
    if (!match) {
      return UNKNOWN;
    }
    const { operation, environment } = match.route;
    const { alternative, channelMember } = operation;
    const body = membersOf(jsonOf(call.body));
    const isAlternative = alternative !== undefined && Object.hasOwn(body, alternative.member);
    const channelLeaf = sentLeavesOf(call).find(({ name }) => name === channelMember);
    const walletName = this.#fixtures.walletNameLike(String(channelLeaf?.value));
    const channel = walletName === undefined ? null : (this.#fixtures.channelByName(walletName)?.id ?? null);
    return { operation: isAlternative ? alternative.operation : operation.name, channel, environment };
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+*?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped}/?$`);
}
