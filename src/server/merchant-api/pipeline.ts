import { whenReady } from '../../base/awaitable.ts';
import { membersOf } from '../../base/members.ts';
import { findingsRefusal, OutcomeUnknown, type Refusal } from '../../base/refusal.ts';
import { validate } from '../../base/schema/validation.ts';
import { authenticate } from '../domain/merchants/merchants.ts';
import { choosePlan } from '../domain/scenarios/choose-plan.ts';
import type { CallContext } from '../sessions/call-context.ts';
import type { Session } from '../sessions/session.ts';
import { authenticateCall } from './authentication.ts';
import { type ConclusionParts, conclude } from './conclude.ts';
import { type Exchange, requestedScenario } from './exchange.ts';
import { addBehaviourFault, applyFault, applyFaultBefore, strikeAfter, undoStrike } from './fault.ts';
import type { Call, Operation } from './operation.ts';
import { requireOperation } from './operations.ts';
import { refuseBody } from './refuse-body.ts';
import { readBody, readForLog } from './request-body/request-body.ts';
import { RequestRecord } from './request-record.ts';
import type { MerchantRoute } from './routes.ts';
import type { Reply } from './send-answer.ts';
import { validateBody } from './validate-body.ts';

export interface PipelineParts extends ConclusionParts {
  isLenient: boolean;
  /** Whether an unknown merchant is registered; see AuthenticationInput. */
  canRegister: boolean;
  /** Whether answers are checked against their response schema before they are sent. */
  checkAnswers: boolean;
  /** Sends a sample notification. Resolves with headers that report the outcome. */
  sendSample(
    session: Session,
    url: string,
    body: string,
    context: CallContext,
  ): Promise<Readonly<Record<string, string>>>;
}

/** Serves one request. Steps return or throw; the outcome is recorded and sent in one place, at the end. */
export function serve(
  exchange: Exchange,
  route: MerchantRoute,
  parameters: Readonly<Record<string, string>>,
  parts: PipelineParts,
): Promise<void> {
  const record = new RequestRecord(exchange);
  const reply = runSteps(exchange, route, parameters, record, parts);
  return conclude(exchange, record, route.operation.envelope, parts, reply);
}

/** Steps 2 to 8 of docs/contributing/architecture.md, in their order; the exchange has the session, which is step 1. */
async function runSteps(
  exchange: Exchange,
  route: MerchantRoute,
  parameters: Readonly<Record<string, string>>,
  record: RequestRecord,
  parts: PipelineParts,
): Promise<Reply> {
  const { request, session, generation } = exchange;
  const { isLenient, canRegister } = parts;
  const context: CallContext = { generation, cause: record };

  // 2 body
  record.route = route;
  const parsed = await readBody(request, { kind: route.operation.body, isLenient });
  record.setBody(parsed);

  // 3 validate
  const operation = operationFor(route.operation, parsed.value, isLenient);
  if (operation !== route.operation) {
    record.route = { ...route, operation };
  }
  const { body, findings, errors } = await validateBody(operation, parsed, { isLenient, fixtures: session.fixtures });
  record.addFindings(findings);
  const { name } = operation;
  const { environment } = route;
  if (errors.length > 0) {
    const refusedCall = { operation: name, environment, session, body, parameters, request, canRegister, context };
    throw await refuseBody(operation, refusedCall, errors);
  }

  // 4 merchant
  const merchant = await authenticateCall(operation, { session, request, body, canRegister }, (credentials) =>
    authenticate(session, credentials, canRegister, context),
  );
  record.merchantId = merchant?.id ?? null;

  // 5 plan
  const channel = channelIdOf(operation, body, session);
  const matchContext = { operation: name, environment, session, body, parameters, channel };
  const plan = await whenReady(choosePlan(session.reader, matchContext, requestedScenario(exchange)), (scenarioPlan) =>
    addBehaviourFault(scenarioPlan, session, context, channel),
  );
  record.plan = plan;
  record.channel = channel ?? null;
  const faultBefore = plan.fault && (await applyFaultBefore(plan.fault, plan, exchange, record));
  if (faultBefore) {
    return { fault: faultBefore };
  }

  // 6 handle, 7 commit
  const call = { operation: name, environment, session, body, parameters, merchant, plan };
  const { result, fault } = await handle(operation, call, context, record);
  const { answer, sample, reportedPayment } = result;
  record.hasCommitted = 'handle' in operation;

  // 8 answer
  if (plan.outcomePlan.webhookBehaviour?.mode === 'before-answer') {
    await notifyBeforeAnswer(exchange, record);
  }
  const headers = sample ? await parts.sendSample(session, sample.url, sample.body, context) : {};
  if (fault && (await applyFault(fault, exchange, record))) {
    return { fault };
  }
  // The session may have been reset while the fault was waiting.
  generation.assertNotWiped();
  if (parts.checkAnswers) {
    await assertFits(operation.response, answer);
  }
  record.reportedPayment = reportedPayment;
  return { status: 200, body: answer, headers };
}

/** A body with the member of an alternative operation belongs to that operation. In lenient mode null counts as absent. */
function operationFor(operation: Operation, body: unknown, isLenient: boolean): Operation {
  const { alternative } = operation;
  const member = alternative && membersOf(body)[alternative.member];
  const isOther = member !== undefined && !(isLenient && member === null);
  return alternative && isOther ? requireOperation(alternative.operation) : operation;
}

function channelIdOf(operation: Operation, body: unknown, session: Session): string | undefined {
  const { channelMember } = operation;
  const name = channelMember === undefined ? undefined : membersOf(body)[channelMember];
  return typeof name === 'string' ? session.fixtures.channelByName(name)?.id : undefined;
}

/** Runs the operation. If it changes something, a fault after it is counted in the same commit. */
async function handle(operation: Operation, call: Call, context: CallContext, { appliedFault }: RequestRecord) {
  const { session, plan } = call;
  try {
    if ('read' in operation) {
      const result = await session.read(async (reader) => operation.read(call, reader), context);
      const fault =
        plan.fault && (await session.transact(async (transaction) => strikeAfter(transaction, plan), context));
      return { result, fault };
    }
    return await session.transact(
      (transaction) =>
        whenReady(operation.handle(call, transaction), (result) => ({ result, fault: strikeAfter(transaction, plan) })),
      context,
    );
  } catch (error) {
    // If the outcome is unknown, the operation may have been done, so the fault counts.
    if (appliedFault && !(error instanceof OutcomeUnknown)) {
      await session.transact(async (transaction) => undoStrike(transaction, plan), context);
    }
    throw error;
  }
}

/** Waits for the outcome of the initiated payment or payout if it is due now, and for one attempt of each of its due notifications. */
async function notifyBeforeAnswer({ session, generation }: Exchange, { initiated }: RequestRecord): Promise<void> {
  if (!initiated) {
    return;
  }
  const { scheduler } = session;
  const now = session.clock.now();
  await scheduler.waitUntilDone(initiated, generation, now);
  const deliveries = session.reader.find('deliveries', 'subjectId', initiated.recordId);
  const jobs = deliveries.map(({ id: recordId }) => ({ collection: 'deliveries' as const, recordId }));
  await Promise.all(jobs.map((job) => scheduler.waitUntilDone(job, generation, now)));
}

async function assertFits(schema: string, answer: unknown): Promise<void> {
  const findings = await validate(schema, answer);
  if (findings.length > 0) {
    throw new Error(`the answer does not fit ${schema}: ${findingsRefusal(findings).message}`);
  }
}

export interface UnmatchedCall {
  refusal: Refusal;
  /** The route at its path, which accepts another method; undefined for an unknown path. */
  route: MerchantRoute | undefined;
  /** Method and path of the most similar operation; null if none is similar. */
  nearest: string | null;
}

/** Refuses a call that no route matches. It is logged with its body like any other. */
export function serveUnmatched(
  exchange: Exchange,
  { refusal, route, nearest }: UnmatchedCall,
  parts: PipelineParts,
): Promise<void> {
  const record = new RequestRecord(exchange);
  record.nearest = nearest;
  const reply = readForLog(exchange.request).then((value) => {
    record.setBody({ value, findings: [] });
    throw refusal;
  });
  return conclude(exchange, record, route?.operation.envelope ?? 'query', parts, reply);
}
