import type { Payment } from '../../../../base/schema/generated/records.ts';
import type { Fixtures } from '../../../config/fixtures.ts';
import { linesOfRecord } from '../ledger/settlement-lines.ts';
import { type ClosedSettlement, type LineWithId, lineWithId } from './settlement-file.ts';

/** The first line that a failed payment would have in a file if it had been paid when it failed; undefined if it has not failed. */
export function failedLine(
  settlement: ClosedSettlement,
  { adjustments: _, ...payment }: Payment,
  fixtures: Pick<Fixtures, 'channel'>,
): LineWithId | undefined {
  const step = payment.history.find(({ to }) => to === 'Failed');
  const { code = null, description = null } = fixtures.channel(payment.channel)?.outcomes.Paid ?? {};
  // The payment is without adjustments, which would add lines. Its step gets a move, because a step without one has no line.
  const paidStep = step && { ...step, to: 'Paid' as const, code, description, move: settlement.firstMove };
  const [line] = paidStep ? linesOfRecord('payments', { ...payment, state: 'Paid', history: [paidStep] }) : [];
  return line && lineWithId(settlement, line);
}
