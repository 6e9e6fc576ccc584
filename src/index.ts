export {
  type ClientOptions,
  ControlError,
  type Expectation,
  SandboxClient,
  type Shown,
  type ShownClock,
  type ShownDelivery,
  type ShownEndpoint,
  type ShownEvent,
  type ShownList,
  type ShownPayment,
} from './client/client.ts';
export { FixtureError } from './config/fixtures.ts';
export { type Settings, SettingsError } from './config/settings.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
export { StoreError } from './store/store.ts';
