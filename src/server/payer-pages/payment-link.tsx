import { toDecimalText } from '../../base/money.ts';
import type { PaymentLink } from '../../base/schema/records.ts';
import { flowOf } from '../domain/channels/channels.ts';
import { findMerchant } from '../domain/merchants/merchants.ts';
import { oneTimeFormToken } from '../domain/pages/form-token.ts';
import { liveStreamOf } from '../domain/pages/live-stream.ts';
import { pathsOf } from '../domain/pages/paths.ts';
import { messagePage, type PageForm, type PayerPage, Problem, ReturnLink, Token } from '../domain/pages/payer-page.tsx';
import { Merchant, Money } from '../domain/pages/payment-summary.tsx';
import { FlowIcon } from '../domain/pages/picture.tsx';
import { merchantAddress } from '../domain/pages/way-back.ts';
import { linkByToken, whyInactive } from '../domain/payment-links/payment-links.ts';
import type { Session } from '../sessions/session.ts';

/** Why the input of a payer is refused: a sentence for the payer, and a reason for the developer. */
export interface LinkProblem {
  text: string;
  reason?: string;
}

const INACTIVE = {
  paid: ['This link has already been paid', 'It can be paid only once.'],
  'not-started': ['Not yet', 'This payment link is not active yet. Come back later.'],
  ended: ['Too late', 'This payment link is no longer active.'],
} as const;

/** The page of a payment link, with its form. `form`: the refused input, which is shown again. */
export async function showLink(
  session: Session,
  token: string,
  form?: PageForm,
  problem?: LinkProblem,
): Promise<PayerPage> {
  const link = await linkByToken(session.reader, token);
  const why = whyInactive(link, session.clock.now(), session.fixtures.times.localOffset);
  if (why !== null) {
    const [title, text] = INACTIVE[why];
    const address = why === 'paid' ? merchantAddress(session, link) : undefined;
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
        <LinkHeader session={session} link={link} merchant={await merchantName(session, link)} />
        <div class="card">
          <Problem text={problem?.text} />
          {problem?.reason === undefined ? null : (
            <p class="quiet" data-testid="reason">
              For the developer: {problem.reason}
            </p>
          )}
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
              Pay
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

async function merchantName(session: Session, { merchantId }: PaymentLink): Promise<string> {
  return (await findMerchant(session.reader, merchantId))?.name ?? merchantId;
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

/** The amount where the payer chooses it, and the currency where there are several. */
function Amount({ session, link, form }: { session: Session; link: PaymentLink; form: PageForm | undefined }) {
  const currencies = currenciesOf(session, link);
  const hasChoice = currencies.length > 1;
  const chosen = form?.['currency'] ?? link.currency;
  return (
    <>
      {link.type === 'OPEN_DYNAMIC_AMOUNT' ? (
        <div class="field">
          <label for="amount">{hasChoice ? 'Amount' : `Amount in ${link.currency}`}</label>
          <input
            id="amount"
            name="amount"
            inputMode="decimal"
            required
            value={form?.['amount'] ?? toDecimalText(link.amount)}
            data-testid="amount-field"
          />
        </div>
      ) : null}
      {hasChoice ? (
        <div class="field">
          <label for="currency">Currency</label>
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
      <legend>Pay by</legend>
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
  const filled = (name: string, prefilled: string) => form?.[name] ?? prefilled;
  const fields = [
    { name: 'name', label: 'Your name', autocomplete: 'name', required: true, value: payer.fullNames },
    { name: 'email', label: 'E-mail', type: 'email', autocomplete: 'email', value: payer.emailAddress },
    {
      name: 'mobile',
      label: 'Mobile number (for mobile money)',
      type: 'tel',
      autocomplete: 'tel',
      value: payer.mobile,
    },
  ] as const;
  return (
    <div class="payer">
      {fields.map(({ name, label, value, ...attributes }) => (
        <div class="field">
          <label for={name}>{label}</label>
          <input id={name} name={name} value={filled(name, value)} data-testid={`payer-${name}`} {...attributes} />
        </div>
      ))}
      <div class="field">
        <label for="address">Address</label>
        <textarea id="address" name="address" rows={2} autocomplete="street-address" data-testid="payer-address">
          {filled('address', payer.address)}
        </textarea>
      </div>
    </div>
  );
}
