import type { ServerResponse } from 'node:http';
import { qrImage, qrSvg } from '../../base/qr-image.ts';
import { Refusal } from '../../base/refusal.ts';
import type { ShopCode } from '../../base/schema/generated/records.ts';
import { flowOf } from '../domain/channels/channels.ts';
import { findMerchant } from '../domain/merchants/merchants.ts';
import { oneTimeFormToken } from '../domain/pages/form-token.ts';
import { Handset } from '../domain/pages/handset.tsx';
import { pathsOf } from '../domain/pages/paths.ts';
import {
  Field,
  type FormProblem,
  messagePage,
  type PageForm,
  type PayerPage,
  Problem,
  Token,
} from '../domain/pages/payer-page.tsx';
import { Merchant, Money } from '../domain/pages/payment-summary.tsx';
import { Icon, OutcomePicture } from '../domain/pages/picture.tsx';
import { WORDS } from '../domain/pages/words.ts';
import { shopCodeText } from '../domain/shop-codes/shop-code-text.ts';
import { shopCodeChannel } from '../domain/shop-codes/shop-codes.ts';
import { sendContent } from '../http/answers.ts';
import type { Session } from '../sessions/session.ts';

/** Throws `unknown-record` if the shop code does not exist. */
export function requireShopCode(session: Session, id: string): ShopCode {
  const code = session.reader.get('shopCodes', id);
  if (!code) {
    throw new Refusal('unknown-record', WORDS.unknownShopCode);
  }
  return code;
}

/** The page that a merchant prints; if the name ends with .png or .svg, only the picture of the code. */
export async function showShopCodeOrImage(
  session: Session,
  name: string,
): Promise<PayerPage | ((response: ServerResponse) => void)> {
  const [, id = name, kind] = /^(.+)\.(png|svg)$/.exec(name) ?? [];
  const code = requireShopCode(session, id);
  const merchant = findMerchant(session.reader, code.merchantId);
  const { fixtures, addresses } = session;
  const text = shopCodeText(code, { fixtures, addresses, merchant });
  return kind === undefined
    ? renderPrintablePage(session, code, merchant?.name ?? code.merchantId)
    : (response) => sendCode(text, kind as 'png' | 'svg', response);
}

function sendCode(text: string, kind: 'png' | 'svg', response: ServerResponse): void {
  const isSvg = kind === 'svg';
  const [mediaType, image] = isSvg
    ? ['image/svg+xml', qrSvg(text)]
    : ['image/png', Buffer.from(qrImage(text), 'base64')];
  sendContent(response, mediaType, image, {
    headers: {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}

function renderPrintablePage(session: Session, code: ShopCode, merchant: string): PayerPage {
  const { id, amount, currency, description, reference, active } = code;
  const paths = pathsOf(session);
  return {
    title: WORDS.payAt(merchant),
    content: (
      <div class="card shop-code" data-testid="shop-code">
        <Merchant name={merchant} />
        {description === '' ? null : <h1 data-testid="description">{description}</h1>}
        {amount === null ? null : (
          <p class="amount" data-testid="amount">
            <Money amount={amount} currency={currency} />
          </p>
        )}
        {active ? null : (
          <p class="problem" data-testid="inactive">
            <Icon name="warning" />
            <span>{WORDS.shopCodeInactive}</span>
          </p>
        )}
        <img src={`${paths.shop(id)}.svg`} alt={WORDS.walletQr} width={300} height={300} />
        <p class="strong">{WORDS.scanWithWallet}</p>
        <p class="quiet">
          <code data-testid="reference">{reference}</code>
        </p>
        <p class="not-printed">
          <a href={`${paths.shop(id)}.png`} download={`${id}.png`} data-testid="png">
            PNG
          </a>{' '}
          <a href={`${paths.shop(id)}.svg`} download={`${id}.svg`} data-testid="svg">
            SVG
          </a>{' '}
          <a href={paths.scan(id)} data-testid="open-wallet">
            {WORDS.openWalletHere}
          </a>
        </p>
      </div>
    ),
  };
}

/** The wallet after a scan: it asks for approval, and for the amount if the code has none. */
export async function showScan(
  session: Session,
  id: string,
  form?: PageForm,
  problem?: FormProblem,
): Promise<PayerPage> {
  const code = requireShopCode(session, id);
  if (!code.active) {
    return messagePage(410, WORDS.tooLate, WORDS.askForAnotherCode);
  }
  const { amount, currency, description, reference } = code;
  const merchant = findMerchant(session.reader, code.merchantId)?.name ?? code.merchantId;
  return {
    ...(problem === undefined ? {} : { status: 422 }),
    title: WORDS.payAt(merchant),
    look: 'handset',
    content: (
      <Handset session={session} app={WORDS.wallet} flow={flowOf(shopCodeChannel(session.reader))}>
        <div class="ask">
          <header class="summary">
            <Merchant name={merchant} />
            <h1 data-testid="description">{description === '' ? WORDS.payment : description}</h1>
            {amount === null ? null : (
              <p class="amount" data-testid="amount">
                <Money amount={amount} currency={currency} />
              </p>
            )}
          </header>
          <dl class="facts">
            <dt>{WORDS.code}</dt>
            <dd>
              <code data-testid="reference">{reference}</code>
            </dd>
          </dl>
          <Problem {...problem} />
        </div>
        <form
          method="post"
          action={pathsOf(session).scan(id)}
          data-testid="scan-form"
          data-filled={form === undefined ? undefined : ''}
        >
          <Token value={oneTimeFormToken(session, id, 'scan')} />
          {amount === null ? (
            <Field
              id="amount"
              label={WORDS.amountIn(currency)}
              inputMode="decimal"
              autocomplete="off"
              value={form?.['amount']}
              data-testid="amount-field"
            />
          ) : null}
          <button type="submit" name="action" value="approve" data-testid="approve">
            {WORDS.approve}
          </button>
          <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid="cancel">
            {WORDS.cancel}
          </button>
        </form>
      </Handset>
    ),
  };
}

/** The wallet after the payer has cancelled a scan. No payment exists, because only an approval initiates one. */
export function showCancelledScan(session: Session, { id }: ShopCode): PayerPage {
  return {
    title: WORDS.payment,
    look: 'handset',
    content: (
      <Handset session={session} app={WORDS.wallet} flow={flowOf(shopCodeChannel(session.reader))}>
        <div class="card ended">
          <OutcomePicture tone="none" />
          <p class="outcome none" role="status" tabIndex={-1} data-testid="outcome" data-state="Cancelled">
            {WORDS.scanCancelled}
          </p>
          <a class="button second" href={pathsOf(session).scan(id)} data-testid="scan-again">
            {WORDS.scanAgain}
          </a>
        </div>
      </Handset>
    ),
  };
}
