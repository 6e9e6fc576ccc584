import type { ShopCodeView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { ask } from '../../api.ts';
import { Empty, type Fact, Facts, Id, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { isolate } from '../../format.ts';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { fetchWithPayments, type RecordWithPayments } from '../../record/fetch-with-payments.ts';
import { Money } from '../../record/money.tsx';
import { PayerPage } from '../../record/payer-page.tsx';
import { PaymentsOf } from '../../record/payments-of.tsx';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';
import { attempt, showToast } from '../../toasts.ts';
import { NewCode } from './new-code.tsx';

const DEFINITION: ListDefinition<ShopCodeView> = {
  screen: 'codes',
  title: 'Shop codes',
  about: 'Shop codes: QR codes that merchants print and display. Each scan creates a payment.',
  source: { path: 'shop-codes', changes: 'shopCodes' },
  filters: ['active', 'merchantId', 'reference', 'environment'],
  filterButtons: [
    { value: 'true', label: 'Active' },
    { value: 'false', label: 'Not active' },
  ],
  row: ({ reference, description, active, scans, amount, currency, createdAt }) => ({
    shape: <Shape tone={active ? 'active' : 'none'} />,
    title: reference,
    detail: (
      <>
        {active ? 'Active' : 'Not active'} · {plural(scans, 'scan')} · <bdi>{description}</bdi>
      </>
    ),
    value: amount === null ? 'any amount' : <Money amount={amount} currency={currency} />,
    at: createdAt,
  }),
  empty: (
    <Empty title="No shop codes yet">
      <p>
        Create one here or with <code>POST /_sandbox/shop-codes</code>.
      </p>
    </Empty>
  ),
  detail: (id) => <RecordDetail id={id} collection="shopCodes" hasPayments load={fetchCode} show={showCode} />,
  actions: <NewCode />,
};

export function ShopCodes() {
  return <ListScreen definition={DEFINITION} />;
}

const fetchCode = fetchWithPayments<ShopCodeView>('shop-codes', 'shop-code');

function deactivate({ id, reference }: ShopCodeView): void {
  void attempt(async () => {
    await ask('POST', `shop-codes/${id}/deactivate`);
    showToast(`${isolate(reference)} was deactivated.`);
  });
}

function showCode({ record: code, payments }: RecordWithPayments<ShopCodeView>) {
  const { reference, amount, currency, description, active, text, url } = code;
  return (
    <>
      <RecordHead
        kind={`Shop code · ${active ? 'active' : 'not active'}`}
        name={reference}
        amount={amount === null ? 'any amount' : <Money amount={amount} currency={currency} />}
        detail={description}
      >
        {active ? (
          <div class="button-row">
            <button type="button" class="button" onClick={() => deactivate(code)} data-testid="deactivate">
              Deactivate
            </button>
          </div>
        ) : null}
      </RecordHead>
      <Section title="What the payer scans">
        <PayerPage text={text} url={url} label="Open the printable page" copyLabel="Copy the content of the code" />
      </Section>
      <Section title="Payments">
        <PaymentsOf payments={payments} />
      </Section>
      <Section title="Facts">
        <Facts facts={factsOf(code)} />
      </Section>
    </>
  );
}

function factsOf(code: ShopCodeView): Fact[] {
  return [
    ['Id', <Id key="id" id={code.id} />],
    ['Merchant', <MerchantName key="merchant" id={code.merchantId} />],
    ['Content', code.content === 'emv' ? 'EMVCo payload' : 'address'],
    ['Scans', String(code.scans)],
    ['Environment', code.environment],
    ['Created', <Moment key="created" at={code.createdAt} />],
  ];
}
