import type { ChannelView, PageQuery } from '../../../base/schema/generated/control.ts';
import type { Channel } from '../../config/fixtures.ts';
import { flowOf } from '../../domain/channels/channels.ts';
import { type ControlOperation, listOf, sessionRow } from '../control-operation.ts';
import { type ListOrder, pageOf } from '../lists.ts';

const BY_ID: ListOrder<{ id: string }> = { name: 'channels', keyOf: ({ id }) => id };

export const CHANNEL_OPERATIONS: readonly ControlOperation[] = [
  sessionRow<undefined, PageQuery>({
    name: 'listChannels',
    summary: 'List channels',
    description: 'The channels of the fixtures, each with the `walletName` by which a payment names it.',
    method: 'GET',
    path: '/channels',
    query: 'control/page-query',
    response: listOf('control/channel'),
    handle: async ({ session, query }) => {
      const { channels } = await session.read(async (reader) => reader.fixtures.channels);
      return pageOf(BY_ID, channels.map(viewChannel), query);
    },
  }),
];

function viewChannel(channel: Channel): ChannelView {
  const { id, label, names } = channel;
  return { id, label, walletName: names[0], needsMobile: flowOf(channel).needsMobile };
}
