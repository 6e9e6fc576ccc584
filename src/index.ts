export { type ClientOptions, SandboxClient } from './client/client.ts';
export { ControlError } from './client/control-error.ts';
export { type Expectation, ExpectationError, type NearRequest } from './client/expectation.ts';
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
} from './client/shown.ts';
export type { WaitOptions } from './client/wait-options.ts';
export { type Diagnostics, type Seen, WaitTimeoutError } from './client/wait-timeout-error.ts';
export { FixtureError } from './config/fixtures.ts';
export { SettingsError } from './config/resolve-settings.ts';
export type { GivenSettings, Settings } from './config/settings.ts';
export type { Sandbox } from './sandbox.ts';
export { startSandbox } from './start-sandbox.ts';
export { StoreError } from './store/store.ts';
