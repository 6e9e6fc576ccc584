import { loadSchema } from '../../src/base/schema/load-schema.ts';
import { loadFixtures } from '../../src/server/config/fixtures.ts';
import { CONTROL_OPERATIONS } from '../../src/server/control-api/operations.ts';
import { OPERATIONS } from '../../src/server/merchant-api/operations.ts';
import { routesOf } from '../../src/server/merchant-api/routes.ts';
import { payerPages } from '../../src/server/payer-pages/payer-pages.ts';
import { exampleOf, MERCHANT } from '../interface/examples.ts';
import { CONTROL_BODIES } from './control-bodies.ts';
import { FORM } from './encode.ts';

/** An operation or page, with an example of a valid request. */
export interface Target {
  method: string;
  path: string;
  body: object | undefined;
  type: string;
  headers: Record<string, string>;
  /** Its query parameters, each with a value. */
  query: readonly string[];
}

const JSON_TYPE = 'application/json';

/** Every route in the table of each entry point. */
export async function targets(): Promise<Target[]> {
  const examples = new Map(
    OPERATIONS.map(({ name, request }) => [name, request === null ? undefined : goodExample(request)]),
  );
  const merchant = routesOf(await loadFixtures(undefined)).map(({ method, path, operation }): Target => {
    const type = operation.body === 'multipart' ? 'multipart/form-data; boundary=x' : JSON_TYPE;
    const needsBearer = operation.authentication === 'bearer' || operation.authentication === 'optional-bearer';
    const headers: Target['headers'] = needsBearer ? { authorization: 'Bearer $recall(token)' } : {};
    return { method, path, type, body: examples.get(operation.name), headers, query: [] };
  });
  const control = CONTROL_OPERATIONS.map(({ method, path, request, query }): Target => {
    const body = request === undefined ? undefined : CONTROL_BODIES[request];
    return { method, path: `/_sandbox${path}`, type: JSON_TYPE, body, headers: {}, query: queryOf(query ?? null) };
  });
  const payer = payerPages(() => {})
    .routes()
    .map(({ method, path }): Target => {
      const body = method === 'POST' ? PAYER_FORM : undefined;
      const query = ['paymentCode=$recall(paymentId)', 'mobile=263770000001'];
      return { method, path: `/pay${path}`, type: FORM, body, headers: {}, query };
    });
  // Repeated, so that entry points with fewer routes are attacked as often as the others.
  return [...merchant, ...control, ...control, ...payer, ...payer, ...payer];
}

const PAYER_FORM = {
  action: 'approve',
  formToken: '$recall(formToken)',
  paymentCode: '$recall(paymentId)',
  pin: '1234',
};

/** Members that refer to ids in earlier answers. */
const POINTERS: Readonly<Record<string, unknown>> = {
  transactionReference: '$recall(paymentId)',
  recurringPaymentToken: '$recall(paymentToken)',
  // A short period, because charges for years would only take time.
  recurringStartDate: '2026-03-01',
  recurringExpiryDate: '2026-06-30',
};

function goodExample(schema: string): Record<string, unknown> {
  const example = exampleOf(schema);
  const merchant = Object.entries(MERCHANT).filter(([name]) => name in example);
  const pointers = Object.entries(POINTERS).filter(([name]) => name in example);
  return { ...example, ...Object.fromEntries([...merchant, ...pointers]) };
}

/** A value for each parameter in a query's schema. */
function queryOf(schema: string | null): string[] {
  if (schema === null) {
    return [];
  }
  const properties = loadSchema(schema)['properties'] as object;
  return Object.keys(properties).map((name) => `${name}=${name === 'order' ? 'newest' : '1'}`);
}
