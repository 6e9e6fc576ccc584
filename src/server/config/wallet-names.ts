import { ownMember } from '../../base/members.ts';
import type { ChannelsFixture } from '../../base/schema/generated/fixtures.ts';
import { guessOrList } from '../../base/text/nearest.ts';
import { FixtureError } from './fixture-error.ts';

type Channel = ChannelsFixture['channels'][number];

const FLAG = '--wallet-names';

/** Adds wallet names to channels. Throws FixtureError with the flag for an unknown channel, or for a name of another one. */
export function addWalletNames(
  fixture: ChannelsFixture,
  walletNames: Readonly<Record<string, readonly string[]>>,
): ChannelsFixture {
  const { channels } = fixture;
  const idByName = new Map(channels.flatMap(({ id, names }) => names.map((name) => [name.toLowerCase(), id] as const)));
  for (const [channel, names] of Object.entries(walletNames)) {
    if (!channels.some(({ id }) => id === channel)) {
      const ids = channels.map(({ id }) => id);
      throw new FixtureError(FLAG, `there is no channel ${channel}${guessOrList(channel, ids, 'known channels are')}`);
    }
    for (const name of names) {
      const owner = idByName.get(name.toLowerCase()) ?? channel;
      if (owner !== channel) {
        throw new FixtureError(FLAG, `${name} is already a name of ${owner}, and cannot also be one of ${channel}`);
      }
      idByName.set(name.toLowerCase(), channel);
    }
  }
  const withNames = (channel: Channel): Channel => ({
    ...channel,
    names: [...channel.names, ...(ownMember(walletNames, channel.id) ?? [])],
  });
  const [first, ...others] = channels;
  return { ...fixture, channels: [withNames(first), ...others.map(withNames)] };
}
