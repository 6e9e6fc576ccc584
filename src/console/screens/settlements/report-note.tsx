import type { SettlementView } from '../../../base/schema/generated/control.ts';
import { durationInWords } from '../../../base/text/duration-words.ts';

/** Shown if the merchant gets the file late, twice, or corrected. */
export function ReportNote({ settlement, version }: { settlement: SettlementView; version: number }) {
  const { reports, issued = 1, mismatches, history } = settlement;
  const isPaid = history.some(({ to }) => to === 'Paid' || to === 'CarriedOver');
  const late = reports?.late;
  const notes = [
    ...(late === undefined
      ? []
      : [
          `The merchant ${issued > 0 ? 'got' : 'gets'} the file ${durationInWords(late)} after the settlement ${isPaid ? 'was' : 'is'} paid.`,
        ]),
    ...(mismatches?.kinds.includes('file-again') && issued > 1 ? ['Version 1 was issued twice.'] : []),
    ...(version > 1 ? [`Version ${version} corrects version 1.`] : []),
  ];
  return notes.length === 0 ? null : (
    <p class="hint" data-testid="report-note">
      {notes.join(' ')}
    </p>
  );
}
