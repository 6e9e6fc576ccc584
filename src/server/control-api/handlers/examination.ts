import { Refusal } from '../../../base/refusal.ts';
import type { ExaminationStart, ExaminationView } from '../../../base/schema/generated/control.ts';
import { type ControlOperation, itemOf, sandboxRow } from '../control-operation.ts';

/** The view of a sandbox that was started without a shop. */
const NO_SHOP: ExaminationView = {
  state: 'no-shop',
  shop: null,
  session: null,
  progress: null,
  problem: null,
  orders: null,
  seed: null,
  milliseconds: null,
  counts: [],
  verdicts: [],
  invariants: [],
};

/** The examination of a shop; it does not depend on the session in the call. */
export const EXAMINATION_OPERATIONS: readonly ControlOperation[] = [
  sandboxRow({
    name: 'getExamination',
    summary: 'Get the examination',
    description:
      'Whether this sandbox can examine a shop, the progress of the examination, and its results so far: each verdict with its history, and each invariant with advice on how to fix a violation. Not a certification by any provider.',
    method: 'GET',
    path: '/examination',
    response: itemOf('control/examination'),
    handle: async ({ parts: { examiner } }) => examiner?.state() ?? NO_SHOP,
  }),
  sandboxRow<ExaminationStart>({
    name: 'startExamination',
    summary: 'Start an examination',
    description:
      'Starts to examine the shop that the sandbox was started with. Answers once the examination has begun. 409 without such a shop, or if an examination is running.',
    method: 'POST',
    path: '/examination',
    request: 'control/examination-start',
    response: null,
    async handle({ parts: { examiner }, body }) {
      if (!examiner) {
        throw new Refusal(
          'conflict',
          'there is no shop to examine: start the sandbox with --examine <adapter>, and merchant-sandbox examine --init writes one',
        );
      }
      await examiner.start(body);
    },
  }),
  sandboxRow({
    name: 'stopExamination',
    summary: 'Stop the examination',
    description: 'Stops the running examination, if there is one. Answers once it has ended. Results are kept.',
    method: 'DELETE',
    path: '/examination',
    response: null,
    handle: async ({ parts: { examiner } }) => examiner?.stop(),
  }),
];
