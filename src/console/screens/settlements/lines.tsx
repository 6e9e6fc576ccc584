import { useState } from 'preact/hooks';
import { toDecimalText } from '../../../base/money.ts';
import type { SettlementFile, SettlementView } from '../../../base/schema/generated/control.ts';
import { Moment, Section, ZoneName } from '../../components/parts.tsx';
import { Money } from '../../record/money.tsx';
import { Downloads } from './downloads.tsx';
import { sumOf } from './figures.ts';
import { LinesTable } from './lines-table.tsx';
import { ReportNote } from './report-note.tsx';

/** The correct file, and the file that the merchant gets. */
export interface Files {
  booked: SettlementFile;
  /** The latest version. */
  shown: SettlementFile;
  /** Version 1, if there is a later one. */
  first: SettlementFile | undefined;
}

/** Whether the file has mistakes; those of the bank statement do not count. */
export function hasMistakes({ mismatches }: SettlementView): boolean {
  return mismatches !== undefined && mismatches.kinds.length > 0;
}

export function Lines({ settlement, files }: { settlement: SettlementView; files: Files }) {
  const [chosen, setChosen] = useState<keyof Files>('booked');
  const file = files[chosen] ?? files.booked;
  const isBooked = file === files.booked;
  const choices = choicesOf(files);
  return (
    <Section title="Lines" extra={<Downloads id={settlement.id} files={downloadsOf(settlement, chosen)} />}>
      <Period settlement={settlement} />
      <ReportNote settlement={settlement} version={files.shown.header.version} />
      {hasMistakes(settlement) ? (
        <fieldset class="chips" aria-label="Which lines">
          {choices.map(([name, label]) => (
            <button
              key={name}
              type="button"
              class="chip"
              aria-pressed={name === chosen}
              onClick={() => setChosen(name)}
            >
              {label}
            </button>
          ))}
        </fieldset>
      ) : null}
      <LinesTable file={file} isLinked={isBooked} />
      {isBooked ? null : <FileTotal file={file} />}
    </Section>
  );
}

function choicesOf({ shown, first }: Files): [keyof Files, string][] {
  return first === undefined
    ? [
        ['booked', 'As booked'],
        ['shown', 'As the merchant gets it, with mistakes'],
      ]
    : [
        ['booked', 'As booked'],
        ['first', 'Version 1, with mistakes'],
        ['shown', `Version ${shown.header.version}, corrected`],
      ];
}

function downloadsOf(settlement: SettlementView, chosen: keyof Files): [string, string][] {
  const [query, furtherQuery] = chosen === 'first' ? ['?version=1', '&version=1'] : ['', ''];
  return [
    ['CSV', `file?format=csv${furtherQuery}`],
    ['JSON', `file${query}`],
    ...(hasMistakes(settlement) ? ([['Answer key', `answer-key${query}`]] as [string, string][]) : []),
  ];
}

/** The total that the file itself contains, which can be wrong. */
function FileTotal({ file: { lines, totals, header } }: { file: SettlementFile }) {
  const { net, transferred, carriedIn, carriedOut, invoiced } = { ...totals, net: sumOf(lines).net };
  const difference = transferred - (net + carriedIn - carriedOut - invoiced);
  if (difference === 0) {
    return <p class="hint">The file's own total is the sum of its lines.</p>;
  }
  const money = (units: number) => <Money amount={toDecimalText(units)} currency={header.currency} />;
  return (
    <p data-testid="file-total">
      The file's own total is {money(transferred)}: {money(Math.abs(difference))} {difference > 0 ? 'more' : 'less'}{' '}
      than the sum of its lines.
    </p>
  );
}

/** The period whose movements a settlement contains. Its day can begin on the evening before, because the cut-off ends each day. */
export function Period({ settlement: { createdAt, cutOff, history, businessDate } }: { settlement: SettlementView }) {
  const closedAt = history[0]?.at ?? cutOff;
  const earlyClose = closedAt < cutOff ? [' it was closed at ', <Moment key="closed" at={closedAt} />, ', before'] : [];
  return (
    <p class="quiet" data-testid="period">
      Contains what was booked from <Moment at={createdAt} /> until{earlyClose} the cut-off at <Moment at={cutOff} />{' '}
      <ZoneName />. The cut-off ends the business day {businessDate}: anything later, even on the same calendar day, is
      in the next settlement.
    </p>
  );
}
