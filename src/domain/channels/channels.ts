import type { Channel } from '../../config/fixtures.ts';
import type { Flow } from './flow.ts';
import { pinPrompt } from './pin-prompt.ts';
import { qrCode } from './qr-code.ts';
import { redirect } from './redirect.ts';

export type { Channel };

/** The ways a payer can be asked, by their names in fixtures/channels.json. */
const FLOWS: Readonly<Record<Channel['flow'], Flow>> = {
  'qr-code': qrCode,
  'pin-prompt': pinPrompt,
  redirect,
};

export function flowOf(channel: Channel): Flow {
  return FLOWS[channel.flow];
}
