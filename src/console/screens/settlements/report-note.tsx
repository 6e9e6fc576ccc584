import type { SettlementView } from '../../../base/schema/control.ts';
import { addDuration, formatUtc } from '../../../base/time.ts';
import { Moment } from '../../components/parts.tsx';
import { lengthOf } from '../../format.ts';

/** How the file reaches the merchant, where it is not simply there from the close on: late, twice, or corrected. */
export function ReportNote({ settlement, version }: { settlement: SettlementView; version: number }) {
  const { reports, issued = 1, mismatches, history } = settlement;
  const paid = history.find(({ to }) => to === 'Paid' || to === 'CarriedOver');
  const { late } = reports ?? {};
  const notes = [];
  if (late !== undefined) {
    const length = lengthOf(addDuration(0, late));
    if (issued > 0) {
      notes.push(`The merchant got the file ${length} after the settlement was paid. `);
    } else if (paid === undefined) {
      notes.push(`The merchant gets the file ${length} after the settlement is paid. `);
    } else {
      const at = formatUtc(addDuration(Date.parse(paid.at), late));
      notes.push(
        <>
          The merchant gets the file {length} after the settlement was paid, at <Moment at={at} />.{' '}
        </>,
      );
    }
  }
  if (mismatches?.kinds.includes('file-again') && issued > 1) {
    notes.push('Version 1 was issued twice. ');
  }
  if (version > 1) {
    notes.push(`Version ${version} corrects version 1.`);
  }
  return notes.length === 0 ? null : (
    <p class="hint" data-testid="report-note">
      {notes}
    </p>
  );
}
