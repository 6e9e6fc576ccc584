import { fillTemplate } from '../config/template.ts';
import type { Call } from './operation.ts';

/** The sentence of an operation in fixtures/operations.json, filled with live values. */
export function messageOf(call: Call, name: string, variables: Record<string, unknown> = {}): string {
  const template = call.session.fixtures.operations.operations[call.operation]?.messages?.[name];
  if (template === undefined) {
    throw new Error(`fixtures/operations.json has no message ${name} for ${call.operation}`);
  }
  return String(fillTemplate(template, variables));
}
