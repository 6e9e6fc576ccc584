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
} from './client.ts';
export { FixtureError } from './fixtures.ts';
export { type Sandbox, startSandbox } from './sandbox.ts';
export { type Settings, SettingsError } from './settings.ts';
export { StoreError } from './store/store.ts';
