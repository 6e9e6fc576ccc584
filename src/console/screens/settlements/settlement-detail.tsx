import type { SettlementFile, SettlementView } from '../../../base/schema/generated/control.ts';
import { pathOf } from '../../address.ts';
import { ask } from '../../api.ts';
import { type Fact, Facts, Id, joinTexts, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { EntriesLink } from '../../record/entries-link.tsx';
import { fetchTimeline, type RecordTimeline } from '../../record/fetch-timeline.ts';
import { Money } from '../../record/money.tsx';
import { RecordHead } from '../../record/record-head.tsx';
import { TimelineSection } from '../../record/timeline.tsx';
import { attempt, showToast } from '../../toasts.ts';
import { daysPath, PendingSum } from '../balances/balance-table.tsx';
import { BankStatement } from './bank-statement.tsx';
import { waterfallOf } from './figures.ts';
import { type Files, hasMistakes, Lines, Period } from './lines.tsx';
import { Waterfall } from './waterfall.tsx';

interface SettlementAndFiles {
  recordTimeline: RecordTimeline<SettlementView>;
  /** Undefined while it is open. */
  files: Files | undefined;
}

export async function fetchSettlement(id: string): Promise<SettlementAndFiles> {
  const path = `settlements/${encodeURIComponent(id)}/file`;
  const recordTimeline = await fetchTimeline<SettlementView>('settlements', id);
  if (recordTimeline.record.totals === null) {
    return { recordTimeline, files: undefined };
  }
  const fetchFile = (query: { as: string } | { version: number }) => ask<SettlementFile>('GET', path, { query });
  const [booked, shown] = await Promise.all([fetchFile({ as: 'booked' }), fetchFile({ as: 'shown' })]);
  const first = shown.header.version > 1 ? await fetchFile({ version: 1 }) : undefined;
  return { recordTimeline, files: { booked, shown, first } };
}

export function showSettlement({ recordTimeline, files }: SettlementAndFiles) {
  const { record: settlement, sentence, ...timeline } = recordTimeline;
  const { businessDate, merchantId, totals, currency, state } = settlement;
  return (
    <>
      <RecordHead
        kind="Settlement"
        name={businessDate}
        amount={totals ? <Money amount={totals.transferred} currency={currency} /> : <PendingSum book={settlement} />}
        state={state}
        detail={<MerchantName id={merchantId} />}
        why={sentence}
      >
        <Actions settlement={settlement} />
      </RecordHead>
      {files === undefined ? (
        <Section title="Lines">
          <Period settlement={settlement} />
          <p class="hint">The amount is the sum so far. Lines and totals are fixed when the settlement is closed.</p>
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
          <BankStatement settlement={settlement} />
        </>
      )}
      <TimelineSection {...timeline} />
      <Section
        title="Facts"
        extra={
          <span>
            <a href={daysPath(settlement)}>Balance by day</a> · <EntriesLink id={settlement.id} />
          </span>
        }
      >
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
      showToast(`Settlement ${businessDate} of ${merchantId} was closed.`);
    });
  const returnTransfer = () =>
    attempt(async () => {
      await ask('POST', `settlements/${id}/return`, { body: { code: 'AC04' } });
      showToast(`The bank returned the transfer of ${id}.`);
    });
  if (state !== 'Open' && state !== 'Paid') {
    return null;
  }
  const [label, action, testId] =
    state === 'Open' ? ['Close now', close, 'close'] : ['Return the transfer', returnTransfer, 'return'];
  return (
    <div class="button-row">
      <button type="button" class="button" onClick={action} data-testid={testId}>
        {label}
      </button>
    </div>
  );
}

function factsOf(settlement: SettlementView): Fact[] {
  const { id, merchantId, environment, sequence, cutOff, bank, valueDate, previous } = settlement;
  return [
    ['Id', <Id key="id" id={id} />],
    ['Merchant', <MerchantName key="merchant" id={merchantId} />],
    ['Number', String(sequence)],
    ['Cut-off', <Moment key="cut-off" at={cutOff} />],
    ['Value date', valueDate],
    ['Paid to', joinTexts([bank.bankBICCode, bank.accountNumber])],
    ['Previous', previous === null ? null : <a href={pathOf('settlements', previous)}>{previous}</a>],
    ['Environment', environment],
  ];
}
