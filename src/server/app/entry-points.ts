import { VERSION } from '../../base/package.ts';
import { runInTurns } from '../../base/run-in-turns.ts';
import { hostOf } from '../../base/text/url.ts';
import type { Fixtures } from '../config/fixtures.ts';
import type { Settings } from '../config/settings.ts';
import { consolePages } from '../console-pages/console-pages.ts';
import { controlApi } from '../control-api/control-api.ts';
import type { ControlOperation } from '../control-api/control-operation.ts';
import { describeControl } from '../control-api/describe-control.ts';
import type { Examiner } from '../control-api/examiner.ts';
import type { Sender } from '../domain/webhooks/sender.ts';
import { sendSample } from '../domain/webhooks/webhook-tester.ts';
import type { CoverageRecorder } from '../findings/coverage/coverage-recorder.ts';
import type { Log } from '../http/access-log.ts';
import type { Metrics } from '../http/metrics/metrics.ts';
import { openApiDocument } from '../http/openapi/openapi-document.ts';
import { type CallHandler, routerOf } from '../http/router.ts';
import { describeOperations, namesInUse } from '../merchant-api/describe-operations.ts';
import { merchantApi } from '../merchant-api/merchant-api.ts';
import { payerPages } from '../payer-pages/payer-pages.ts';
import type { Addresses } from '../sessions/session-addresses.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Store } from '../store/store.ts';
import type { CallLoad } from './call-load.ts';
import type { Histories } from './histories.ts';

export interface AppParts {
  settings: Readonly<Settings>;
  sessions: Sessions;
  addressesFor(sessionName: string): Addresses;
  fixtures: () => Fixtures;
  log: Log;
  onError(error: unknown): void;
  controlToken: string | undefined;
  sender: Sender;
  store: Store;
  metrics: Metrics;
  coverage: CoverageRecorder;
  /** The certificate of the CA that clients must trust for HTTPS, as PEM. */
  caCertificate: string | undefined;
  load: CallLoad;
  lifecycle: { isStopping: boolean };
  histories: Pick<Histories, 'bundleOf' | 'historyOf' | 'fork'>;
  examiner: Examiner | undefined;
  operations: readonly ControlOperation[];
}

export function createApp({
  settings,
  sessions,
  addressesFor,
  fixtures,
  onError,
  sender,
  ...others
}: AppParts): CallHandler {
  const { log, store, metrics, coverage, caCertificate, controlToken, load, lifecycle, histories } = others;
  const { publicUrl, tlsHost, ignoreFindings } = settings;
  const isNegotiated = hasNegotiatedTypes(settings);
  const ignored: ReadonlySet<string> = new Set(ignoreFindings);
  const hosts = [...(publicUrl === undefined ? [] : [hostOf(new URL(publicUrl))]), ...tlsHost];
  const pages = payerPages((page, action) => coverage.recordAction(page, action));
  const baseOf = (name: string) => addressesFor(name).base;
  const describeAll = () => [...describeOperations(fixtures(), isNegotiated), ...describeControl()];
  const control = controlApi(
    {
      sessions,
      baseOf,
      fixtures,
      version: VERSION,
      storeFailure: () => store.failure,
      isStopping: () => lifecycle.isStopping,
      counts: ({ name }, collection) => store.counts(collection, name),
      metrics: () => metrics.text({ sessions, store }),
      coverage: () => coverage.coverage,
      onChangedByHand: (changes) => coverage.markChangedByHand(changes),
      caCertificate,
      checkAnswers: settings.checkAnswers,
      openApi: (name) => runInTurns(openApiDocument(describeAll(), namesInUse(fixtures()), VERSION, baseOf(name))),
      bundleOf: (session) => histories.bundleOf(session),
      historyOf: (session, after) => histories.historyOf(session, after),
      fork: (session, at, as) => histories.fork(session, at, as),
      examiner: others.examiner,
      operations: others.operations,
      webhookUrl: settings.webhookUrl,
      ignored,
      checkWebhookTarget: (url) => sender.checkEndpoint(url),
    },
    { token: controlToken, hosts },
  );
  const merchant = merchantApi({
    fixtures,
    isLenient: settings.validation === 'lenient',
    isNegotiated,
    canRegister: settings.merchants === 'open',
    checkAnswers: settings.checkAnswers,
    ignored,
    sendSample: (session, url, body, context) => {
      sender.check(url);
      return sendSample(session, url, body, context);
    },
    onCall: () => load.onCall(),
    onDone: (call, milliseconds) => {
      metrics.countCall(call, milliseconds);
      coverage.recordCall(call);
      log.writeCall(call);
    },
    onCallWithoutSession: log.writeCallWithoutSession,
    onError,
  });
  return routerOf([pages, consolePages(), control, merchant], {
    findSession(name) {
      const session = sessions.findOwned(name);
      session?.markUsed();
      return session;
    },
    openSession: (name) => sessions.open(name),
    baseOf,
    onError,
  });
}

/** Whether answers have the media type that `Accept` prefers; without `contentType`, only with lenient validation. */
function hasNegotiatedTypes({ validation, contentType }: Readonly<Settings>): boolean {
  return (contentType ?? (validation === 'lenient' ? 'negotiated' : 'interface')) === 'negotiated';
}
