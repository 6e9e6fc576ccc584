/** The server's exports for examine, recordings, demo and test-kit, which may import nothing else of it (scripts/import-rules.cjs). */

export { FixtureError } from './config/fixture-error.ts';
export { FILES, type FixtureFiles, readJsonIfExists, SHIPPED_FOLDER } from './config/fixture-files.ts';
export { type Fixtures, loadFixtures } from './config/fixtures.ts';
export { resolveSettings, SettingsError } from './config/resolve-settings.ts';
export type { Settings } from './config/settings.ts';
export { type ControlOperation, sandboxRow } from './control-api/control-operation.ts';
export type { Examiner } from './control-api/examiner.ts';
export { ADJUSTMENT_EVENTS } from './domain/books/ledger/payment-movements.ts';
export type { Fault } from './domain/scenarios/scenario.ts';
export type { Sender, SendResult } from './domain/webhooks/sender.ts';
export { headersOf } from './domain/webhooks/signature.ts';
export { faultCell } from './findings/coverage/faults.ts';
export { OPERATIONS } from './merchant-api/operations.ts';
export { routesOf } from './merchant-api/routes.ts';
export type { JobContext } from './sessions/job.ts';
