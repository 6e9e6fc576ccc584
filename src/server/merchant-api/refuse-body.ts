import { capFindings, type Finding, Refusal, refuseFindings } from '../../base/refusal.ts';
import { loadSchema } from '../../base/schema/load-schema.ts';
import { BrokenRules } from '../domain/business-rules.ts';
import { authenticateIn } from '../domain/merchants/merchants.ts';
import type { Plan } from '../domain/scenarios/scenario.ts';
import type { CallContext } from '../sessions/call-context.ts';
import type { Transaction } from '../sessions/transaction.ts';
import { authenticateBearer, authenticateCall, type ShownCall } from './authentication.ts';
import type { Call, Operation } from './operation.ts';
import { repairBody } from './repair-body.ts';

/** A call whose body does not fit. */
type RefusedCall = Omit<Call, 'merchant' | 'plan'> & ShownCall & { context: CallContext };

/** What a handler may be told of a call that leads nowhere: each channel's own behaviour. */
const NO_PLAN: Plan = {
  scenario: '',
  outcome: '',
  rule: '',
  fault: null,
  respond: {},
  outcomePlan: {},
  creditPlans: [],
};
const NAMES_A_MERCHANT = /^\$\.(merchantId|recurringMerchantId|merchantApiKey|merchantKey)$/;

/**
 * The refusal of a body for what is wrong with it, and for what the later stages have against the rest of it: whoever repairs
 * the one need not come back for the other. For that, the call is tried with its wrong members repaired, and rolled back.
 */
export async function refuseBody(
  operation: Operation,
  call: RefusedCall,
  errors: readonly Finding[],
): Promise<Refusal> {
  const further = await furtherRefusal(operation, call, errors);
  if (further instanceof BrokenRules) {
    return refuseFindings(capFindings([...errors, ...further.findings]));
  }
  const { message } = refuseFindings(errors);
  return new Refusal('invalid-field', further ? `${message}; ${further.message}` : message, { findings: errors });
}

async function furtherRefusal(
  operation: Operation,
  call: RefusedCall,
  errors: readonly Finding[],
): Promise<Refusal | undefined> {
  const paths = errors.map(({ path }) => path);
  try {
    if (operation.request === null || paths.some((path) => path === '$' || NAMES_A_MERCHANT.test(path))) {
      await authenticateBearer(operation, call.session, call.request);
      return undefined;
    }
    const body = repairBody(loadSchema(operation.request), call.body, paths);
    await call.session.transact((transaction) => tryOut(operation, { ...call, body }, transaction), call.context);
    return undefined;
  } catch (error) {
    if (error instanceof BrokenRules) {
      return error.besides(paths);
    }
    if (error instanceof Refusal) {
      return TELLING.has(error.kind) ? error : undefined;
    }
    if (error instanceof RolledBack) {
      return undefined;
    }
    throw error;
  }
}

/** Refusals that do not depend on the members that were put right. */
const TELLING: ReadonlySet<Refusal['kind']> = new Set(['bad-bearer', 'wrong-credentials', 'merchant-not-activated']);

/** Ends a transaction of which nothing is to be kept. */
class RolledBack extends Error {}

async function tryOut(operation: Operation, call: RefusedCall, transaction: Transaction): Promise<never> {
  const merchant = await authenticateCall(operation, call, (credentials) =>
    authenticateIn(transaction, credentials, call.openRegistration),
  );
  const tried: Call = { ...call, merchant, plan: NO_PLAN };
  await ('read' in operation ? operation.read(tried, transaction) : operation.handle(tried, transaction));
  throw new RolledBack();
}
