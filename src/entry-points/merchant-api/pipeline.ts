import { type Finding, inWords, Refusal, refusalForFailure, refuseFindings } from '../../base/refusal.ts';
import { isUnknownMember, validate } from '../../base/schema/validation.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import { authenticate } from '../../domain/merchants/merchants.ts';
import { choosePlan } from '../../domain/scenarios/choose.ts';
import { type Envelope, errorBody, statusOf } from '../../domain/wire/envelopes.ts';
import type { LoggedCall } from '../../sessions/request-log.ts';
import type { Session } from '../../sessions/session.ts';
import type { CallContext } from '../../sessions/transaction-queue.ts';
import { sendAnswer } from './answer.ts';
import { authenticateCall } from './authentication.ts';
import { check } from './check.ts';
import { type Exchange, scenarioAskedFor } from './exchange.ts';
import { actOut, failsOnArrival, faultBefore, perform } from './faults.ts';
import type { Call, Operation } from './operation.ts';
import { operationNamed } from './operations.ts';
import { refuseBody } from './refuse-body.ts';
import { ClientGone, readBody, readForLog } from './request-body/request-body.ts';
import { RequestRecord } from './request-record.ts';
import type { MerchantRoute } from './routes.ts';

/** What the pipeline needs of the sandbox around it. */
export interface PipelineParts {
  fixtures: () => Fixtures;
  lenient: boolean;
  openRegistration: boolean;
  /** Check every answer against its response schema before it leaves. */
  checkAnswers: boolean;
  /** Sends a sample notification by the way out; resolves with headers that tell what became of it. */
  sendSample(
    session: Session,
    url: string,
    body: string,
    context: CallContext,
  ): Promise<Readonly<Record<string, string>>>;
  /** Called with every call, once it is over, and how long it took to a fraction of a millisecond. */
  onDone(call: LoggedCall, milliseconds: number): void;
  onError(error: unknown): void;
}

/** The way of one request, stage by stage; a refusal thrown anywhere on it is answered in one place. */
export async function serve(
  exchange: Exchange,
  route: MerchantRoute,
  parameters: Readonly<Record<string, string>>,
  parts: PipelineParts,
): Promise<void> {
  const record = new RequestRecord(exchange);
  const { envelope } = route.operation;
  let isDone = false;
  try {
    record.matched(route);
    const came = await readBody(exchange.request, { kind: route.operation.body, lenient: parts.lenient });
    record.bodyCame(came);
    const operation = operationFor(route.operation, came.value, parts.lenient);
    record.matched({ ...route, operation });
    const { session, generation } = exchange;
    const context: CallContext = { generation, cause: record };
    const options = { lenient: parts.lenient, fixtures: session.fixtures };
    const { body, errors } = await check(operation, came, options, (findings) => record.found(findings));
    const { request } = exchange;
    const { openRegistration } = parts;
    const asked = { operation: operation.name, environment: route.environment, session, body, parameters };
    if (errors.length > 0) {
      throw await refuseBody(operation, { ...asked, request, openRegistration }, errors);
    }
    const merchant = await authenticateCall(operation, { session, request, body, openRegistration }, (credentials) =>
      authenticate(session, credentials, openRegistration, context),
    );
    record.merchantId = merchant?.id ?? null;
    const matchContext = { ...asked, channel: channelOf(operation, body, session) };
    const plan = await choosePlan(session, matchContext, scenarioAskedFor(exchange));
    record.planned(plan, matchContext.channel);
    const struck = await faultBefore(plan, session, context);
    if (struck && (await actOut(struck, exchange, envelope, record))) {
      return;
    }
    const call: Call = { ...asked, merchant, plan };
    const { answer, sample, fault } = await perform(operation, call, context, struck);
    isDone = 'handle' in operation;
    const headers = sample ? await parts.sendSample(session, sample.url, sample.body, context) : {};
    if (fault && (await actOut(fault, exchange, envelope, record))) {
      return;
    }
    // A latency may have outlived it.
    generation.expectLasting();
    await answerWith(exchange, record, 200, answer, headers, parts.checkAnswers ? operation.response : undefined);
  } catch (error) {
    if (!(await failsOnArrival(error, exchange, envelope, record))) {
      const { calls } = exchange.session;
      const reason = await calls.stillSeen(error);
      await refuse(isDone ? calls.afterKept(reason) : reason, exchange, envelope, record, parts);
    }
  } finally {
    finish(exchange, record, parts);
  }
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
  const envelope = route?.operation.envelope ?? 'query';
  try {
    record.bodyCame({ value: await readForLog(exchange.request), findings: [] });
    throw refusal;
  } catch (error) {
    await refuse(error, exchange, envelope, record, parts);
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
}

/** A body with another operation's own member belongs to that operation, whichever path it came by. Lenient takes null for absent. */
function operationFor(operation: Operation, body: unknown, lenient: boolean): Operation {
  const { otherwise } = operation;
  const member = otherwise && (body as Record<string, unknown> | undefined)?.[otherwise.member];
  const isOther = member !== undefined && !(lenient && member === null);
  return otherwise && isOther ? operationNamed(otherwise.operation) : operation;
}

function channelOf(operation: Operation, body: unknown, session: Session): string | undefined {
  const { channelMember } = operation;
  const name = channelMember === undefined ? undefined : (body as Record<string, unknown>)[channelMember];
  return typeof name === 'string' ? session.fixtures.channelByName(name)?.id : undefined;
}

async function answerWith(
  exchange: Exchange,
  record: RequestRecord,
  status: number,
  answer: unknown,
  headers: Readonly<Record<string, string>>,
  schema: string | undefined,
): Promise<void> {
  if (schema !== undefined) {
    const findings: readonly Finding[] = await validate(schema, answer);
    if (findings.length > 0) {
      throw new Error(`the answer does not fit ${schema}: ${refuseFindings(findings).message}`);
    }
  }
  record.answered(sendAnswer(exchange, record, status, answer, headers));
}

async function refuse(
  error: unknown,
  exchange: Exchange,
  envelope: Envelope,
  record: RequestRecord,
  parts: PipelineParts,
): Promise<void> {
  if (error instanceof ClientGone || exchange.response.headersSent) {
    return;
  }
  const refusal = error instanceof Refusal ? error : refusalForFailure(error, parts.onError);
  const fixtures = parts.fixtures();
  const status = statusOf(refusal, fixtures);
  // A misspelled member is only a warning, but may be why a call is refused.
  const told = new Set(refusal.findings.map(({ path }) => path));
  const unknown = record.findings.filter((finding) => isUnknownMember(finding) && !told.has(finding.path));
  const message = unknown.length === 0 ? refusal.message : `${refusal.message}; ${inWords(unknown)}`;
  record.refused(refusal, message);
  record.answered(
    sendAnswer(exchange, record, status, errorBody(envelope, status, message, fixtures), refusal.headers),
  );
}
