import { loadSchema } from '../../src/base/schema/load-schema.ts';

export const MERCHANT = {
  merchantId: 'M-1000',
  merchantApiKey: 'test-api-key-1000',
  merchantKey: 'test-merchant-key-1000',
};

/** A valid request from the examples in the schema, without optional members. */
export function exampleOf(schemaName: string, members: Record<string, unknown> = {}): Record<string, unknown> {
  const schema = loadSchema(schemaName);
  const properties = schema['properties'] as Record<string, { examples?: unknown[] }>;
  const required = schema['required'] as string[];
  const example = Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0]]));
  return { ...example, ...members };
}

/** The smallest possible PNG: one transparent pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
