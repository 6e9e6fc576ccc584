import { toDecimalText } from '../../base/money.ts';
import type { PaymentLink } from '../../base/schema/generated/records.ts';
import { flowOf } from '../domain/channels/channels.ts';
import { findMerchant } from '../domain/merchants/merchants.ts';
import { oneTimeFormToken } from '../domain/pages/form-token.ts';
import { liveStreamOf } from '../domain/pages/live-stream.ts';
import { pathsOf } from '../domain/pages/paths.ts';
import {
  Field,
  type FormProblem,
  messagePage,
  type PageForm,
  type PayerPage,
  Problem,
  ReturnLink,
  Token,
} from '../domain/pages/payer-page.tsx';
import { Merchant, Money } from '../domain/pages/payment-summary.tsx';
import { FlowIcon } from '../domain/pages/picture.tsx';
import { merchantAddress } from '../domain/pages/return-address.ts';
import { WORDS } from '../domain/pages/words.ts';
import { inactiveReason, linkByToken } from '../domain/payment-links/payment-links.ts';
import type { Session } from '../sessions/session.ts';

const INACTIVE_MESSAGES = {
  paid: [WORDS.linkPaidTitle, WORDS.linkPaidOnce],
  'not-started': [WORDS.linkNotStartedTitle, WORDS.linkNotStarted],
  ended: [WORDS.tooLate, WORDS.linkEnded],
} as const;

/** The page of a payment link, with its form. `form`: the refused input, which is shown again. */
export async function showLink(
  session: Session,
  token: string,
  form?: PageForm,
  problem?: FormProblem,
): Promise<PayerPage> {
  const link = linkByToken(session.reader, token);
  const reason = inactiveReason(link, session.clock.now(), session.fixtures.times.localOffset);
  if (reason !== null) {
    const [title, text] = INACTIVE_MESSAGES[reason];
    const address = reason === 'paid' ? merchantAddress(session, link) : undefined;
    return messagePage(410, title, text, address === undefined ? null : <ReturnLink address={address} />);
  }
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: link.name,
    look: 'sides',
    links: [link],
    live: liveStreamOf(session, 'link', token, [link]),
    content: (
      <>
        <LinkHeader session={session} link={link} merchant={merchantName(session, link)} />
        <div class="card">
          <Problem {...problem} />
          <form
            method="post"
            action={pathsOf(session).link(token)}
            data-testid="link-form"
            data-filled={form === undefined ? undefined : ''}
          >
            <Token value={oneTimeFormToken(session, `link-${link.id}`, 'pay')} />
            <Amount session={session} link={link} form={form} />
            <Channels session={session} chosen={form?.['channel']} />
            <PayerFields link={link} form={form} />
            <button type="submit" name="action" value="pay" data-testid="pay">
              {WORDS.pay}
            </button>
          </form>
        </div>
      </>
    ),
  };
}

/** The currencies that a link can be paid in, its own first. */
export function currenciesOf({ fixtures }: Session, link: PaymentLink) {
  const { currencies } = fixtures.currencies;
  const own = currencies.filter(({ currencyCode }) => currencyCode === link.currency);
  return link.otherCurrencies ? [...own, ...currencies.filter((currency) => !own.includes(currency))] : own;
}

function merchantName(session: Session, { merchantId }: PaymentLink): string {
  return findMerchant(session.reader, merchantId)?.name ?? merchantId;
}

function LinkHeader({ session, link, merchant }: { session: Session; link: PaymentLink; merchant: string }) {
  const isFixed = link.type !== 'OPEN_DYNAMIC_AMOUNT';
  const currency = currenciesOf(session, link).length > 1 ? undefined : link.currency;
  return (
    <header class="summary">
      {link.imageId === null ? null : (
        <img class="picture" src={pathsOf(session).image(link.imageId)} alt="" data-testid="picture" />
      )}
      <Merchant name={merchant} />
      <h1 data-testid="link-name">{link.name}</h1>
      <p class="quiet" data-testid="description">
        {link.description}
      </p>
      {isFixed ? (
        <p class="amount" data-testid="amount">
          <Money amount={link.amount} currency={currency} />
        </p>
      ) : null}
    </header>
  );
}

/** Fields for the amount, if the payer chooses it, and for the currency, if there are several. */
function Amount({ session, link, form }: { session: Session; link: PaymentLink; form: PageForm | undefined }) {
  const currencies = currenciesOf(session, link);
  const hasChoice = currencies.length > 1;
  const chosen = form?.['currency'] ?? link.currency;
  return (
    <>
      {link.type === 'OPEN_DYNAMIC_AMOUNT' ? (
        <Field
          id="amount"
          label={hasChoice ? WORDS.amount : WORDS.amountIn(link.currency)}
          inputMode="decimal"
          value={form?.['amount'] ?? toDecimalText(link.amount)}
          data-testid="amount-field"
        />
      ) : null}
      {hasChoice ? (
        <div class="field">
          <label for="currency">{WORDS.currency}</label>
          <select id="currency" name="currency" data-testid="currency">
            {currencies.map(({ currencyCode, currencyName }) => (
              <option value={currencyCode} selected={currencyCode === chosen}>
                {currencyName} ({currencyCode})
              </option>
            ))}
          </select>
        </div>
      ) : null}
    </>
  );
}

function Channels({ session, chosen }: { session: Session; chosen: string | undefined }) {
  return (
    <fieldset>
      <legend>{WORDS.payBy}</legend>
      <div class="choices">
        {session.fixtures.channels.channels.map((channel, index) => (
          <label class="choice">
            <input
              type="radio"
              id={`channel-${channel.id}`}
              name="channel"
              value={channel.id}
              checked={chosen === undefined ? index === 0 : chosen === channel.id}
              data-testid={`channel-${channel.id}`}
            />
            <FlowIcon flow={flowOf(channel)} />
            <span>{channel.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function PayerFields({ link: { payer }, form }: { link: PaymentLink; form: PageForm | undefined }) {
  const valueFor = (name: string, prefilled: string) => form?.[name] ?? prefilled;
  return (
    <div class="payer">
      <Field
        id="name"
        label={WORDS.name}
        autocomplete="name"
        value={valueFor('name', payer.fullNames)}
        data-testid="payer-name"
      />
      <Field
        id="email"
        label={WORDS.email}
        type="email"
        autocomplete="email"
        required={false}
        value={valueFor('email', payer.emailAddress)}
        data-testid="payer-email"
      />
      <Field
        id="mobile"
        label={WORDS.mobileForMoney}
        type="tel"
        autocomplete="tel"
        required={false}
        value={valueFor('mobile', payer.mobile)}
        data-testid="payer-mobile"
      />
      <div class="field">
        <label for="address">{WORDS.address}</label>
        <textarea id="address" name="address" rows={2} autocomplete="street-address" data-testid="payer-address">
          {valueFor('address', payer.address)}
        </textarea>
      </div>
    </div>
  );
}
