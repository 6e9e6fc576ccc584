import { findingsRefusal } from '../../../base/refusal.ts';
import type { WebhookTestRequest } from '../../../base/schema/generated/requests.ts';
import { sampleNotification } from '../../domain/wire/notification.ts';
import type { Reader } from '../../sessions/reader.ts';
import { checkWebHookType } from '../field-checks.ts';
import type { Call, HandlerResult } from '../operation.ts';

/** Sends a sample notification to an address and answers with its body. Source: INTERFACE.md, "Events". */
export function testWebhook(call: Call<WebhookTestRequest>, reader: Reader): HandlerResult {
  const { url, webHookType } = call.body;
  const sample = sampleNotification(webHookType, reader.now, reader.fixtures);
  if (!sample) {
    throw findingsRefusal(checkWebHookType({ webHookType }, reader.fixtures));
  }
  return { answer: sample, sample: { url, body: JSON.stringify(sample) } };
}
