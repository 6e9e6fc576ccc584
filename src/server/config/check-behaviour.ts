import { errorFinding, type Finding } from '../../base/refusal.ts';
import type { BehaviourFixture, ChannelsFixture } from '../../base/schema/generated/fixtures.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { addDuration } from '../../base/time.ts';
import { checkId } from './check-id.ts';
import { checkName } from './check-name.ts';

/** Findings in a behaviour that fits its schema. */
export function checkBehaviour(
  behaviour: BehaviourFixture,
  { channels }: ChannelsFixture,
  shipped: ReadonlyMap<string, BehaviourFixture>,
): Finding[] {
  const { notifications = {}, calls = {} } = behaviour;
  return [
    ...checkId(behaviour, shipped),
    ...checkNotifications(notifications),
    ...checkLatency(calls.latency ?? [], channels),
  ];
}

/** In real time. A longer wait for a receiver is probably a mistake. */
const MAX_TIMEOUT = 'PT10M';

function checkNotifications({ proof, hash, timeout }: NonNullable<BehaviourFixture['notifications']>): Finding[] {
  const timeoutMs = timeout === undefined ? undefined : addDuration(0, timeout);
  const isTimeoutValid = timeoutMs === undefined || (timeoutMs > 0 && timeoutMs <= addDuration(0, MAX_TIMEOUT));
  return [
    ...(proof === 'hash' && !hash
      ? [errorFinding('$.notifications.hash', 'algorithm, header and fields, because the proof is a hash', 'nothing')]
      : []),
    ...(isTimeoutValid
      ? []
      : [errorFinding('$.notifications.timeout', `more than PT0S, and ${MAX_TIMEOUT} at most`, String(timeout))]),
  ];
}

type Latency = NonNullable<NonNullable<BehaviourFixture['calls']>['latency']>;

function checkLatency(entries: Latency, channels: ChannelsFixture['channels']): Finding[] {
  const channelIds = channels.map(({ id }) => id);
  const firstForAll = entries.findIndex((entry) => !entry.channels);
  return entries.flatMap(({ channels: ids = [], percentiles }, index) => {
    const path = memberPath('$.calls.latency', index);
    return [
      ...(firstForAll >= 0 && index > firstForAll
        ? [errorFinding(path, `no entry after entry ${firstForAll + 1}, which applies to all calls`, 'one')]
        : []),
      ...ids.flatMap((id, position) => checkName(id, channelIds, memberPath(`${path}.channels`, position))),
      ...checkPercentiles(percentiles, `${path}.percentiles`),
    ];
  });
}

/** A higher percentile cannot be shorter than a lower one. */
function checkPercentiles(percentiles: Readonly<Record<string, string>>, path: string): Finding[] {
  const points = Object.entries(percentiles).sort(([one], [other]) => Number(one) - Number(other));
  return points.flatMap(([name, duration], index) => {
    const [, before = 'PT0S'] = points[index - 1] ?? [];
    return addDuration(0, duration) < addDuration(0, before)
      ? [errorFinding(memberPath(path, name), `${before} or longer`, duration)]
      : [];
  });
}
