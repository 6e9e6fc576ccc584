import type { SchemaObject } from 'ajv/dist/2020.js';
import { isMembers } from '../../base/members.ts';
import { capFindings, type Finding, findingsRefusal, Refusal } from '../../base/refusal.ts';
import { keysIn } from '../../base/schema/json-path.ts';
import { loadSchema } from '../../base/schema/load-schema.ts';
import { BrokenRules } from '../domain/broken-rules.ts';
import { authenticateIn } from '../domain/merchants/merchants.ts';
import { NO_PLAN } from '../domain/scenarios/scenario.ts';
import type { CallContext } from '../sessions/call-context.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { type AuthenticationInput, authenticateBearer, authenticateCall } from './authentication.ts';
import type { Call, Operation } from './operation.ts';

type RefusedCall = Omit<Call, 'merchant' | 'plan'> & AuthenticationInput & { context: CallContext };

const CREDENTIAL_PATH = /^\$\.(merchantId|recurringMerchantId|merchantApiKey|merchantKey)$/;

/**
 * The refusal of a body. It also has the errors that later steps find in the rest of the body, so that all can be corrected
 * at once: the call is run with examples in place of the wrong members, and rolled back.
 */
export async function refuseBody(
  operation: Operation,
  call: RefusedCall,
  errors: readonly Finding[],
): Promise<Refusal> {
  const refusal = await findLaterRefusal(operation, call, errors);
  if (refusal instanceof BrokenRules) {
    return findingsRefusal(capFindings([...errors, ...refusal.findings]));
  }
  const { message } = findingsRefusal(errors);
  return new Refusal('invalid-field', refusal ? `${message}; ${refusal.message}` : message, { findings: errors });
}

async function findLaterRefusal(
  operation: Operation,
  call: RefusedCall,
  errors: readonly Finding[],
): Promise<Refusal | undefined> {
  const paths = errors.map(({ path }) => path);
  try {
    if (operation.request === null || paths.some((path) => path === '$' || CREDENTIAL_PATH.test(path))) {
      authenticateBearer(operation, call.session, call.request);
      return undefined;
    }
    const body = repairBody(loadSchema(operation.request), call.body, paths);
    await call.session.transact((transaction) => tryOut(operation, { ...call, body }, transaction), call.context);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRules) {
      return error.independentOf(paths);
    }
    if (error instanceof Refusal) {
      return REPORTABLE.has(error.kind) ? error : undefined;
    }
    if (error instanceof Rollback) {
      return undefined;
    }
    throw error;
  }
}

/** Refusals that do not depend on the repaired members. */
const REPORTABLE: ReadonlySet<Refusal['kind']> = new Set(['bad-bearer', 'wrong-credentials', 'merchant-not-activated']);

class Rollback extends Error {}

async function tryOut(operation: Operation, call: RefusedCall, transaction: Transaction): Promise<never> {
  const merchant = await authenticateCall(operation, call, (credentials) =>
    authenticateIn(transaction, credentials, call.canRegister),
  );
  const triedCall: Call = { ...call, merchant, plan: NO_PLAN };
  await ('read' in operation ? operation.read(triedCall, transaction) : operation.handle(triedCall, transaction));
  throw new Rollback();
}

/** A copy of the body with its schema's examples at these JSON paths; members without an example are omitted. */
function repairBody(schema: SchemaObject, body: unknown, paths: readonly string[]): unknown {
  return paths.reduce((repaired, path) => withExample(schema, repaired, keysIn(path)), body);
}

function withExample(schema: SchemaObject, value: unknown, keys: readonly string[]): unknown {
  const [key, ...inner] = keys;
  if (key === undefined) {
    return exampleOf(schema);
  }
  if (Array.isArray(value)) {
    return value.map((entry, index) => (index === Number(key) ? withExample(schema['items'], entry, inner) : entry));
  }
  const property = propertiesOf(schema)[key];
  if (!isMembers(value) || !property) {
    return value;
  }
  const { [key]: wrong, ...others } = value;
  const repaired = withExample(property, wrong, inner);
  return repaired === undefined ? others : { ...others, [key]: repaired };
}

/** Undefined where a required part has no example, such as the content of a file. */
function exampleOf(schema: SchemaObject): unknown {
  const { examples, required }: SchemaObject = schema;
  if (examples || !required) {
    return examples?.[0];
  }
  const properties = propertiesOf(schema);
  const members = (required as string[]).map((name) => [name, exampleOf(properties[name] ?? {})] as const);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function propertiesOf(schema: SchemaObject): Readonly<Record<string, SchemaObject>> {
  return schema['properties'] ?? {};
}
