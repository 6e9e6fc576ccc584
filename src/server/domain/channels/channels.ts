import { errorFinding } from '../../../base/refusal.ts';
import type { Payment } from '../../../base/schema/generated/records.ts';
import type { FileFinding } from '../../config/check-fixtures.ts';
import type { Channel, Fixtures } from '../../config/fixtures.ts';
import type { Flow } from './flow.ts';
import { pinPrompt } from './pin-prompt/pin-prompt.ts';
import { qrCode } from './qr-code/qr-code.ts';
import { redirect } from './redirect/redirect.ts';

export type { Channel };

/** The flows by their names in fixtures/channels.json. */
const FLOWS = new Map<string, Flow>();

export function addFlow(flow: Flow): void {
  FLOWS.set(flow.name, flow);
}

// THE TABLE of flows.
addFlow(qrCode);
addFlow(pinPrompt);
addFlow(redirect);

export function allFlows(): readonly Flow[] {
  return [...FLOWS.values()];
}

export function flowOf({ id, flow: name }: Channel): Flow {
  const flow = FLOWS.get(name);
  if (!flow) {
    throw new Error(`the channel ${id} has the flow ${name}, which does not exist`);
  }
  return flow;
}

/** The flow of a payment; `redirect` if its channel is not in the fixtures any more. */
export function flowOfPayment({ channel: id }: Payment, { channel }: Pick<Fixtures, 'channel'>): Flow {
  const configuredChannel = channel(id);
  return configuredChannel ? flowOf(configuredChannel) : redirect;
}

/** Finds channels whose flow does not exist. */
export function checkFlows({ channels: { channels } }: Pick<Fixtures, 'channels'>): FileFinding[] {
  const expected = `one of ${[...FLOWS.keys()].join(', ')}`;
  return channels.flatMap(({ flow }, index) =>
    FLOWS.has(flow)
      ? []
      : [{ fixture: 'channels', ...errorFinding(`$.channels[${index}].flow`, expected, JSON.stringify(flow)) }],
  );
}
