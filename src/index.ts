export type { EventType } from './base/schema/generated/control.ts';
export type {
  BulkPaymentRequest,
  BulkPayoutRequest,
  MerchantCredentialsRequest,
  PaymentLinkRequest,
  PaymentStatusRequest,
  RecurringPaymentRequest,
  SinglePaymentRequest,
} from './base/schema/generated/requests.ts';
export type {
  AccessTokenResponse,
  AcknowledgementResponse,
  NotificationResponse as Notification,
  PaymentLinkResponse,
  PaymentResponse,
  PaymentStatusResponse,
} from './base/schema/generated/responses.ts';
export { type ClientOptions, SandboxClient } from './client/client.ts';
export { ControlError } from './client/control-error.ts';
export { type Expectation, ExpectationError, type NearRequest } from './client/expectation.ts';
export type { BehaviourName, EventName, Filters, GivenScenario, ScenarioName } from './client/names.ts';
export { NoAnswerError } from './client/no-answer-error.ts';
export type {
  Shown,
  ShownClock,
  ShownCoverage,
  ShownCredit,
  ShownDelivery,
  ShownEndpoint,
  ShownEvent,
  ShownExamination,
  ShownList,
  ShownPayment,
  ShownPayout,
  ShownSession,
  ShownTimeline,
} from './client/shown.ts';
export type { WaitOptions } from './client/wait-options.ts';
export { type Diagnostics, type Seen, WaitTimeoutError } from './client/wait-timeout-error.ts';
export type { Sandbox } from './sandbox.ts';
export { FixtureError } from './server/config/fixture-error.ts';
export { SettingsError } from './server/config/resolve-settings.ts';
export type { GivenSettings, Settings } from './server/config/settings.ts';
export { StoreError } from './server/store/store.ts';
export { startSandbox } from './start-sandbox.ts';
