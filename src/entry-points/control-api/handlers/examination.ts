import { Refusal } from '../../../base/refusal.ts';
import type { ExaminationStart, ExaminationView } from '../../../base/schema/control.ts';
import { type ControlOperation, one, sandboxRow } from '../operation.ts';

/** A sandbox that was given no shop. */
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

/** The examination of a shop, whatever session a call names. */
export const EXAMINATION_OPERATIONS: readonly ControlOperation[] = [
  sandboxRow({
    name: 'getExamination',
    summary: 'Get the examination',
    description:
      'Whether this sandbox can examine a shop, how far it is, and what it has found so far: each verdict with its history, each invariant with how to mend what breaks it. Not a certificate of any provider.',
    method: 'GET',
    path: '/examination',
    query: null,
    request: null,
    response: one('control/examination'),
    handle: async ({ parts: { examiner } }) => examiner?.state() ?? NO_SHOP,
  }),
  sandboxRow<ExaminationStart>({
    name: 'startExamination',
    summary: 'Start an examination',
    description:
      'Examines the shop that the sandbox was started with, and answers once that has begun. 409 where there is no such shop, and while one is examined.',
    method: 'POST',
    path: '/examination',
    query: null,
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
    description: 'Ends the examination that runs, if any does, and answers once it has ended. What was found stays.',
    method: 'DELETE',
    path: '/examination',
    query: null,
    request: null,
    response: null,
    handle: async ({ parts: { examiner } }) => examiner?.stop(),
  }),
];
