import type { SettlementFile, SettlementView } from '../../../base/schema/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { apiAddress } from '../../address.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Empty, type Fact, Facts, Id, listed, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { Shape, StateWord, toneOf } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { RecordHead } from '../../record/head.tsx';
import { Kinds } from '../../record/kinds.tsx';
import { Money } from '../../record/money.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { attempt, say } from '../../toasts.ts';

const DEFINITION: ListDefinition<SettlementView> = {
  screen: 'settlements',
  title: 'Settlements',
  one: 'a settlement',
  source: { path: 'settlements', collection: 'settlements' },
  filters: ['state', 'merchantId', 'environment', 'currency', 'businessDate'],
  offered: ['Open', 'InTransit', 'Paid', 'Returned', 'CarriedOver'],
  row: ({ state, merchantId, businessDate, totals, currency, createdAt }) => ({
    shape: <Shape tone={toneOf(state)} />,
    title: (
      <>
        {businessDate} · <MerchantName id={merchantId} />
      </>
    ),
    detail: (
      <>
        <StateWord state={state} />
        {totals === null ? null : ` · ${plural(totals.count, 'line')}`}
      </>
    ),
    value: totals === null ? '' : <Money amount={totals.transferred} currency={currency} />,
    at: createdAt,
  }),
  empty: (
    <Empty title="No settlements yet">
      <p>The first payment of a merchant's day opens one. It is closed at the day's cut-off.</p>
    </Empty>
  ),
  detail: (id) => <RecordDetail id={id} collection="settlements" load={fetchSettlement} show={showSettlement} />,
  above: <Kinds screen="settlements" />,
};

export function Settlements() {
  return <ListScreen definition={DEFINITION} />;
}

interface Shown {
  settlement: SettlementView;
  /** As merchants get it; undefined while it is open. */
  file: SettlementFile | undefined;
}

async function fetchSettlement(id: string): Promise<Shown> {
  const path = `settlements/${encodeURIComponent(id)}`;
  const settlement = await ask<SettlementView>('GET', path);
  const file = settlement.totals === null ? undefined : await ask<SettlementFile>('GET', `${path}/file`);
  return { settlement, file };
}

function close({ merchantId, environment, currency, businessDate }: SettlementView): void {
  void attempt(async () => {
    await ask('POST', 'settlements/close', { body: { merchantId, environment, currency } });
    say(`${businessDate} of ${merchantId} is closed.`);
  });
}

function giveBack({ id }: SettlementView): void {
  void attempt(async () => {
    await ask('POST', `settlements/${id}/return`, { body: { code: 'AC04' } });
    say(`${id}: the bank sent it back.`);
  });
}

function showSettlement({ settlement, file }: Shown) {
  const { state, businessDate, merchantId, totals, currency, mismatches } = settlement;
  return (
    <>
      <RecordHead
        kind="Settlement"
        name={businessDate}
        amount={totals === null ? '' : <Money amount={totals.transferred} currency={currency} />}
        state={state}
        detail={<MerchantName id={merchantId} />}
      >
        {state === 'Open' || state === 'Paid' ? (
          <div class="settle">
            <button
              type="button"
              class="button"
              onClick={() => (state === 'Open' ? close(settlement) : giveBack(settlement))}
              data-testid={state === 'Open' ? 'close' : 'return'}
            >
              {state === 'Open' ? 'Close now' : 'Send back by the bank'}
            </button>
          </div>
        ) : null}
      </RecordHead>
      {file === undefined ? null : (
        <Section title="The file" extra={mismatches ? <span class="quiet">with mistakes</span> : null}>
          <Downloads settlement={settlement} />
          <Lines file={file} />
        </Section>
      )}
      <Section title="Facts">
        <Facts facts={factsOf(settlement)} />
      </Section>
    </>
  );
}

/** The file in its forms, and where it differs from the books. */
function Downloads({ settlement: { id, mismatches } }: { settlement: SettlementView }) {
  const forms = [['CSV', 'file?format=csv'], ['JSON', 'file'], ...(mismatches ? [['Answer key', 'answer-key']] : [])];
  return (
    <div class="settle">
      {forms.map(([label, path]) => (
        <a key={label} class="button" href={`${apiAddress}settlements/${id}/${path}`} target="_blank" rel="noreferrer">
          <Icon name="out" />
          {label}
        </a>
      ))}
    </div>
  );
}

/** So many lines are shown; the file has them all. */
const MOST_LINES = 200;

function Lines({ file: { lines } }: { file: SettlementFile }) {
  return (
    <>
      <ol class="credits" data-testid="lines">
        {lines.slice(0, MOST_LINES).map((line) => (
          <li key={line.line}>
            <span class="credit-number">{line.line}</span>
            <div class="credit-to">
              <p>
                <bdi>{line.paymentReference || line.lineType}</bdi>
              </p>
              <p class="quiet">{listed([line.lineType, line.businessDate, line.channel || null, line.code || null])}</p>
            </div>
            <p class="credit-amount">
              <Money amount={decimal(line.net)} currency={line.currency} />
            </p>
          </li>
        ))}
      </ol>
      {lines.length > MOST_LINES ? <p class="quiet">And {lines.length - MOST_LINES} more.</p> : null}
    </>
  );
}

function decimal(minorUnits: number): string {
  return (minorUnits / 100).toFixed(2);
}

function factsOf(settlement: SettlementView): Fact[] {
  const { id, merchantId, environment, currency, sequence, cutOff, bank, valueDate, totals, history } = settlement;
  const sums: Fact[] = totals
    ? [
        ['Gross', <Money key="gross" amount={totals.gross} currency={currency} />],
        ['Fees', <Money key="fee" amount={totals.fee} currency={currency} />],
        ['Carried in', <Money key="in" amount={totals.carriedIn} currency={currency} />],
        ['Carried out', <Money key="out" amount={totals.carriedOut} currency={currency} />],
      ]
    : [];
  return [
    ['Id', <Id key="id" id={id} />],
    ['Merchant', <MerchantName key="merchant" id={merchantId} />],
    ['Number', String(sequence)],
    ['Cut-off', <Moment key="cut-off" at={cutOff} />],
    ...(valueDate === null ? [] : [['Value date', valueDate] as Fact]),
    ...sums,
    ['To', listed([bank.bankBICCode, bank.accountNumber])],
    ...history.map(({ to, at }): Fact => [to, <Moment key={to} at={at} />]),
    ['Environment', environment],
  ];
}
