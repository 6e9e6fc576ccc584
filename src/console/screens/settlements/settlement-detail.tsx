import { useState } from 'preact/hooks';
import { toDecimalText } from '../../../base/money.ts';
import type { SettlementFile, SettlementView } from '../../../base/schema/control.ts';
import { apiAddress, pathOf } from '../../address.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { type Fact, Facts, Id, listed, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { EntriesLink } from '../../record/entries-link.tsx';
import { RecordHead } from '../../record/head.tsx';
import { Money } from '../../record/money.tsx';
import { attempt, say } from '../../toasts.ts';
import { sumOf, waterfallOf } from './figures.ts';
import { LinesTable } from './lines-table.tsx';
import { Waterfall } from './waterfall.tsx';

interface Shown {
  settlement: SettlementView;
  /** undefined while it is open. */
  files: { booked: SettlementFile; shown: SettlementFile } | undefined;
}

export async function fetchSettlement(id: string): Promise<Shown> {
  const path = `settlements/${encodeURIComponent(id)}`;
  const settlement = await ask<SettlementView>('GET', path);
  if (settlement.totals === null) {
    return { settlement, files: undefined };
  }
  const [booked, shown] = await Promise.all(
    ['booked', 'shown'].map((as) => ask<SettlementFile>('GET', `${path}/file`, { query: { as } })),
  );
  return { settlement, files: booked && shown && { booked, shown } };
}

export function showSettlement({ settlement, files }: Shown) {
  const { businessDate, merchantId, totals, currency, state } = settlement;
  return (
    <>
      <RecordHead
        kind="Settlement"
        name={businessDate}
        amount={totals === null ? undefined : <Money amount={totals.transferred} currency={currency} />}
        state={state}
        detail={<MerchantName id={merchantId} />}
      >
        <Actions settlement={settlement} />
      </RecordHead>
      {files === undefined ? (
        <Section title="Lines">
          <p class="hint">Lines and totals are fixed when the settlement is closed.</p>
        </Section>
      ) : (
        <>
          <Section
            title="From gross to net"
            extra={hasMistakes(settlement) ? <span class="quiet">as booked</span> : null}
          >
            <Waterfall bars={waterfallOf(files.booked)} currency={currency} />
          </Section>
          <Lines settlement={settlement} files={files} />
        </>
      )}
      <Section title="Facts" extra={<EntriesLink id={settlement.id} />}>
        <Facts facts={factsOf(settlement)} />
      </Section>
    </>
  );
}

function Actions({ settlement }: { settlement: SettlementView }) {
  const { id, state, merchantId, environment, currency, businessDate } = settlement;
  const close = () =>
    attempt(async () => {
      await ask('POST', 'settlements/close', { body: { merchantId, environment, currency } });
      say(`Settlement ${businessDate} of ${merchantId} was closed.`);
    });
  const giveBack = () =>
    attempt(async () => {
      await ask('POST', `settlements/${id}/return`, { body: { code: 'AC04' } });
      say(`The bank returned the transfer of ${id}.`);
    });
  if (state !== 'Open' && state !== 'Paid') {
    return null;
  }
  return (
    <div class="settle">
      {state === 'Open' ? (
        <button type="button" class="button" onClick={close} data-testid="close">
          Close now
        </button>
      ) : (
        <button type="button" class="button" onClick={giveBack} data-testid="return">
          Return the transfer
        </button>
      )}
    </div>
  );
}

/** Whether the file has any: those of a bank statement are elsewhere. */
function hasMistakes({ mismatches }: SettlementView): boolean {
  return mismatches !== undefined && mismatches.kinds.length > 0;
}

/** The lines by kind, as they are booked or, where the file has mistakes, as the merchant gets them; and the file in its forms. */
function Lines({ settlement, files }: { settlement: SettlementView; files: Shown['files'] & {} }) {
  const { id } = settlement;
  const [isShown, setShown] = useState(false);
  const file = isShown ? files.shown : files.booked;
  return (
    <Section title="Lines" extra={<Downloads id={id} hasMistakes={hasMistakes(settlement)} />}>
      {hasMistakes(settlement) ? (
        <fieldset class="chips" aria-label="Which lines">
          <button type="button" class="chip" aria-pressed={!isShown} onClick={() => setShown(false)}>
            As booked
          </button>
          <button type="button" class="chip" aria-pressed={isShown} onClick={() => setShown(true)}>
            As the merchant gets it, with mistakes
          </button>
        </fieldset>
      ) : null}
      <LinesTable file={file} isLinked={!isShown} />
      {isShown ? <FileTotal file={file} /> : null}
    </Section>
  );
}

/** What the file itself says of its sum, which may be another. */
function FileTotal({ file: { lines, totals, header } }: { file: SettlementFile }) {
  const more = totals.transferred - sumOf(lines).net;
  if (more === 0) {
    return <p class="hint">The file's own total is the sum of its lines.</p>;
  }
  const money = (units: number) => <Money amount={toDecimalText(units)} currency={header.currency} />;
  return (
    <p data-testid="file-total">
      The file's own total is {money(totals.transferred)}: {money(Math.abs(more))} {more > 0 ? 'more' : 'less'} than the
      sum of its lines.
    </p>
  );
}

function Downloads({ id, hasMistakes }: { id: string; hasMistakes: boolean }) {
  const forms = [['CSV', 'file?format=csv'], ['JSON', 'file'], ...(hasMistakes ? [['Answer key', 'answer-key']] : [])];
  return (
    <div class="actions">
      {forms.map(([label, path]) => (
        <a key={label} class="button" href={`${apiAddress}settlements/${id}/${path}`} target="_blank" rel="noreferrer">
          <Icon name="out" />
          {label}
        </a>
      ))}
    </div>
  );
}

function factsOf(settlement: SettlementView): Fact[] {
  const { id, merchantId, environment, sequence, cutOff, bank, valueDate, previous, history } = settlement;
  return [
    ['Id', <Id key="id" id={id} />],
    ['Merchant', <MerchantName key="merchant" id={merchantId} />],
    ['Number', String(sequence)],
    ['Cut-off', <Moment key="cut-off" at={cutOff} />],
    ['Value date', valueDate],
    ['Paid to', listed([bank.bankBICCode, bank.accountNumber])],
    ...history.map(
      ({ to, at, code }): Fact => [
        to,
        <>
          <Moment at={at} /> {code === null ? null : <code>{code}</code>}
        </>,
      ],
    ),
    ['Previous', previous === null ? null : <a href={pathOf('settlements', previous)}>{previous}</a>],
    ['Environment', environment],
  ];
}
