import { matchesSchema } from '../../../base/schema/given-schema.ts';

/** What a scenario looks at to find its rule. */
export interface MatchContext {
  operation: string;
  environment: 'production' | 'sandbox';
  /** The channel's id; undefined for an operation without one. */
  channel: string | undefined;
  body: unknown;
}

/** What a rule may ask of a call, besides its body. */
export const CONDITIONS = ['operation', 'channel', 'environment'] as const;

export function meets<Value extends string | number>(
  wanted: Value | readonly Value[] | undefined,
  actual: Value | undefined,
): boolean {
  return wanted === undefined || (actual !== undefined && [wanted].flat().includes(actual));
}

export async function fitsBody(schema: object, body: unknown): Promise<boolean> {
  return body !== undefined && (await matchesSchema(schema, body));
}
