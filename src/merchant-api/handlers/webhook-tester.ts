import { refuseFindings } from '../../refusal.ts';
import type { Unit } from '../../session/unit.ts';
import type { WebhookTestRequest } from '../../shapes/requests.ts';
import { sampleNotification } from '../../wire/notification.ts';
import type { Call, Outcome } from '../operation.ts';

/** Sends a sample notification to an address and answers with its body. Source: INTERFACE.md, "Events". */
export async function testWebhook(call: Call<WebhookTestRequest>, unit: Unit): Promise<Outcome> {
  const { url, webHookType } = call.body;
  const sample = sampleNotification(webHookType, unit.now, unit.fixtures);
  if (!sample) {
    const expected = `one of ${Object.keys(unit.fixtures.webhookSamples.samples).join(', ')}`;
    const received = JSON.stringify(webHookType.slice(0, 60));
    throw refuseFindings([{ path: '$.webHookType', expected, received, severity: 'error' }]);
  }
  return { answer: sample, sample: { url, body: JSON.stringify(sample) } };
}
