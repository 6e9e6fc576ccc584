import { membersOf } from '../../base/members.ts';
import { type Finding, inWords, Refusal, refusalForFailure, refuseFindings } from '../../base/refusal.ts';
import { isUnknownMember, validate } from '../../base/schema/validation.ts';
import type { Fixtures } from '../config/fixtures.ts';
import { authenticate } from '../domain/merchants/merchants.ts';
import { choosePlan } from '../domain/scenarios/choose.ts';
import { type Envelope, errorBody, statusOf } from '../domain/wire/envelopes.ts';
import type { CallContext } from '../sessions/call-context.ts';
import type { LoggedCall } from '../sessions/request-log.ts';
import type { Session } from '../sessions/session.ts';
import { type Reply, sendReply } from './answer.ts';
import { authenticateCall } from './authentication.ts';
import { type Exchange, requestedScenario } from './exchange.ts';
import { faultBefore, faultOnArrival, perform, takesPlace, withFate } from './fault.ts';
import { lookAt } from './integration-findings.ts';
import { notifyFirst } from './notify-first.ts';
import type { Operation } from './operation.ts';
import { operationNamed } from './operations.ts';
import { refuseBody } from './refuse-body.ts';
import { ClientGone, readBody, readForLog } from './request-body/request-body.ts';
import { RequestRecord } from './request-record.ts';
import type { MerchantRoute } from './routes.ts';
import { validateBody } from './validate-body.ts';

/** A call that is over, with what counts beside the request log. */
export interface CallOver
  extends LoggedCall,
    Pick<RequestRecord, 'route' | 'struck' | 'reportedPayment' | 'isByHand' | 'timeline'> {}

/** What the pipeline needs of the sandbox around it. */
export interface PipelineParts {
  fixtures: () => Fixtures;
  lenient: boolean;
  /** Whether a client whose `Accept` prefers application/json gets that. */
  isNegotiated: boolean;
  openRegistration: boolean;
  /** Check every answer against its response schema before it leaves. */
  checkAnswers: boolean;
  /** Ids of findings about the integration that nobody wants to hear of. */
  ignored: ReadonlySet<string>;
  /** Sends a sample notification by the way out; resolves with headers that tell what became of it. */
  sendSample(
    session: Session,
    url: string,
    body: string,
    context: CallContext,
  ): Promise<Readonly<Record<string, string>>>;
  /** Called with every call, once it is over, and how long it took to a fraction of a millisecond. */
  onDone(call: CallOver, milliseconds: number): void;
  onError(error: unknown): void;
}

/** The way of one request. Whatever a stage throws, what the caller is told is recorded and sent in one place, at the end. */
export async function serve(
  exchange: Exchange,
  route: MerchantRoute,
  parameters: Readonly<Record<string, string>>,
  parts: PipelineParts,
): Promise<void> {
  const record = new RequestRecord(exchange);
  await conclude(exchange, record, route.operation.envelope, parts, () =>
    takeStages(exchange, route, parameters, record, parts),
  );
}

/** Stage by stage to the answer, or to the fault that takes its place. Throws the refusal of the stage that says no. */
async function takeStages(
  exchange: Exchange,
  route: MerchantRoute,
  parameters: Readonly<Record<string, string>>,
  record: RequestRecord,
  parts: PipelineParts,
): Promise<Reply> {
  const { request, session, generation } = exchange;
  const { lenient, openRegistration } = parts;
  record.matched(route);
  const came = await readBody(request, {
    kind: route.operation.body,
    lenient,
    onBytes: (bytes) => record.bytesCame(bytes),
  });
  record.bodyCame(came);
  const operation = operationFor(route.operation, came.value, lenient);
  record.matched({ ...route, operation });
  const { body, findings, errors } = await validateBody(operation, came, { lenient, fixtures: session.fixtures });
  record.found(findings);
  const asked = { operation: operation.name, environment: route.environment, session, body, parameters };
  const context: CallContext = { generation, cause: record };
  if (errors.length > 0) {
    throw await refuseBody(operation, { ...asked, request, openRegistration, context }, errors);
  }
  const merchant = await authenticateCall(operation, { session, request, body, openRegistration }, (credentials) =>
    authenticate(session, credentials, openRegistration, context),
  );
  record.merchantId = merchant?.id ?? null;
  const matchContext = { ...asked, channel: channelOf(operation, body, session) };
  const chosen = await choosePlan(session, matchContext, requestedScenario(exchange));
  const plan = await withFate(chosen, session, context, matchContext.channel);
  record.planned(plan, matchContext.channel);
  const struck = await faultBefore(plan, session, context);
  if (struck && (await takesPlace(struck, exchange, record))) {
    return { fault: struck };
  }
  const { answer, sample, fault, reportedPayment } = await perform(
    operation,
    { ...asked, merchant, plan },
    context,
    struck,
  );
  record.isDone = 'handle' in operation;
  if (plan.outcomePlan.webhookBehaviour?.mode === 'before-answer') {
    await notifyFirst(session, record, generation);
  }
  const headers = sample ? await parts.sendSample(session, sample.url, sample.body, context) : {};
  if (fault && (await takesPlace(fault, exchange, record))) {
    return { fault };
  }
  // A latency may have outlived it.
  generation.expectLasting();
  if (parts.checkAnswers) {
    await expectFits(operation.response, answer);
  }
  record.reportedPayment = reportedPayment;
  return { status: 200, body: answer, headers };
}

/** Why no route takes a call. */
export interface Unmatched {
  refusal: Refusal;
  /** The route that takes another method at its path. */
  route: MerchantRoute | undefined;
  /** What the path most likely means, in words. */
  nearest: string | null;
}

/** A call that leads nowhere is refused and logged like any other, with its body. */
export async function serveUnmatched(
  exchange: Exchange,
  { refusal, route, nearest }: Unmatched,
  parts: PipelineParts,
): Promise<void> {
  const record = new RequestRecord(exchange);
  record.nearest = nearest;
  await conclude(exchange, record, route?.operation.envelope ?? 'query', parts, async () => {
    const value = await readForLog(exchange.request, (bytes) => record.bytesCame(bytes));
    record.bodyCame({ value, findings: [] });
    throw refusal;
  });
}

/** Sends what the stages come to, and notes it. */
async function conclude(
  exchange: Exchange,
  record: RequestRecord,
  envelope: Envelope,
  parts: PipelineParts,
  stages: () => Promise<Reply>,
): Promise<void> {
  try {
    const reply = await stages().catch((error: unknown) => replyToFailure(error, exchange, envelope, record, parts));
    if (reply) {
      await lookAt(exchange, record, reply, parts.ignored);
      const { isNegotiated } = parts;
      const isClientGone = exchange.response.destroyed;
      const sent = await sendReply(exchange, reply, { envelope, isNegotiated, headers: record.headers });
      record.answered(sent, isClientGone);
    }
  } finally {
    finish(exchange, record, parts);
  }
}

/** A call that a reset overtook has a number of before, which another call has by now. */
function finish({ session, generation }: Exchange, record: RequestRecord, parts: PipelineParts): void {
  const milliseconds = record.end(session);
  if (!generation.ended) {
    session.requests.add(record);
  }
  parts.onDone(record, milliseconds);
  // The log does not show it, and would keep it.
  record.reportedPayment = undefined;
}

/** A body with another operation's own member belongs to that operation, whichever path it came by. Lenient takes null for absent. */
function operationFor(operation: Operation, body: unknown, lenient: boolean): Operation {
  const { otherwise } = operation;
  const member = otherwise && membersOf(body)[otherwise.member];
  const isOther = member !== undefined && !(lenient && member === null);
  return otherwise && isOther ? operationNamed(otherwise.operation) : operation;
}

function channelOf(operation: Operation, body: unknown, session: Session): string | undefined {
  const { channelMember } = operation;
  const name = channelMember === undefined ? undefined : membersOf(body)[channelMember];
  return typeof name === 'string' ? session.fixtures.channelByName(name)?.id : undefined;
}

async function expectFits(schema: string, answer: unknown): Promise<void> {
  const findings: readonly Finding[] = await validate(schema, answer);
  if (findings.length > 0) {
    throw new Error(`the answer does not fit ${schema}: ${refuseFindings(findings).message}`);
  }
}

/** What a caller is told of a call that a stage refused, or that failed; null where the caller is gone. */
async function replyToFailure(
  error: unknown,
  exchange: Exchange,
  envelope: Envelope,
  record: RequestRecord,
  parts: PipelineParts,
): Promise<Reply | null> {
  const struck = await faultOnArrival(error, exchange, record);
  if (struck) {
    return { fault: struck };
  }
  const { calls } = exchange.session;
  const seen = await calls.confirmRefusal(error);
  const reason = record.isDone ? calls.afterKept(seen) : seen;
  if (reason instanceof ClientGone) {
    record.clientLeft('before the end of its request');
    return null;
  }
  const refusal = reason instanceof Refusal ? reason : refusalForFailure(reason, parts.onError);
  const fixtures = parts.fixtures();
  const status = statusOf(refusal, fixtures);
  // A misspelled member is only a warning, but may be why a call is refused.
  const told = new Set(refusal.findings.map(({ path }) => path));
  const unknown = record.findings.filter((finding) => isUnknownMember(finding) && !told.has(finding.path));
  const message = unknown.length === 0 ? refusal.message : `${refusal.message}; ${inWords(unknown)}`;
  record.refused(refusal, message);
  return { status, body: errorBody(envelope, status, message, fixtures), headers: refusal.headers };
}
