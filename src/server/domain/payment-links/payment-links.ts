import { toDecimalText } from '../../../base/money.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Image, Merchant, PaymentLink } from '../../../base/schema/generated/records.ts';
import { endOfDay, type Instant, startOfDay } from '../../../base/time.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { type BrokenRule, throwIfBroken } from '../broken-rules.ts';
import { checkMayTrade, validateProfile } from '../merchants/merchants.ts';
import { validateCurrency } from '../payments/fees.ts';

export interface LinkImage {
  mediaType: Image['mediaType'];
  base64: string;
}

/** The members of a link that a merchant sends; the sandbox adds the others, such as token and times. */
export type LinkOrder = Pick<
  PaymentLink,
  | 'environment'
  | 'name'
  | 'description'
  | 'reference'
  | 'amount'
  | 'type'
  | 'profileId'
  | 'startDate'
  | 'endDate'
  | 'currency'
  | 'currencyId'
  | 'otherCurrencies'
  | 'successUrl'
  | 'failureUrl'
  | 'email'
  | 'payer'
> & {
  /** "" creates a link, any other id updates one. */
  id: string;
  imageAction: 'NEW' | 'UPDATE' | 'NONE';
  image: LinkImage | null;
};

/**
 * Creates a link, or updates one of the merchant's links in the same environment. NEW and UPDATE store the order's image, if it has one;
 * NONE keeps the present one. Throws `business-rule`, `merchant-not-activated` or `unknown-record`. Source: INTERFACE.md, "Payment link".
 */
export function saveLink(transaction: Transaction, merchant: Merchant, order: LinkOrder): PaymentLink {
  checkMayTrade(merchant);
  const existing = order.id === '' ? undefined : linkOfMerchant(transaction, merchant, order);
  throwIfBroken(validateLink(transaction, merchant, order));
  const { id: _id, imageAction, image, ...facts } = order;
  const number = existing ? Number(existing.id) : transaction.next('link');
  const link: PaymentLink = {
    ...facts,
    id: String(number),
    createdAt: existing?.createdAt ?? transaction.now,
    updatedAt: transaction.now,
    merchantId: merchant.id,
    token: existing?.token ?? `${transaction.ids.text(32)}-${number}`,
    imageId: replaceImage(transaction, existing, imageAction, image),
    paid: existing?.paid ?? false,
  };
  transaction.put('links', link);
  transaction.emit(existing ? 'link.updated' : 'link.created', 'links', link.id, {
    reference: link.reference,
    amount: toDecimalText(link.amount),
    currency: link.currency,
  });
  return link;
}

/** The reason why a link cannot be paid at an instant; null if it can. Its dates are whole days of local time. Source: ours. */
export function inactiveReason(
  link: Pick<PaymentLink, 'startDate' | 'endDate' | 'type' | 'paid'>,
  now: Instant,
  localOffset: string,
): 'not-started' | 'ended' | 'paid' | null {
  if (link.type === 'ONCE_OFF_FIXED' && link.paid) {
    return 'paid';
  }
  if (now < startOfDay(link.startDate, localOffset)) {
    return 'not-started';
  }
  return now >= endOfDay(link.endDate, localOffset) ? 'ended' : null;
}

/** Throws `unknown-record`. */
export function linkByToken(reader: Reader, token: string): PaymentLink {
  const [link] = reader.find('links', 'token', token);
  if (!link) {
    throw new Refusal('unknown-record', 'There is no payment link with this token.');
  }
  return link;
}

function linkOfMerchant(transaction: Transaction, merchant: Merchant, order: LinkOrder): PaymentLink {
  const { id, environment } = order;
  const link = transaction.get('links', id);
  if (link?.merchantId !== merchant.id) {
    throw new Refusal(
      'unknown-record',
      `merchant ${merchant.id} has no payment link ${id}; send an empty id to create one`,
    );
  }
  if (link.environment !== environment) {
    throw new Refusal(
      'unknown-record',
      `payment link ${id} is a ${link.environment} link and cannot be updated by a ${environment} route`,
    );
  }
  return link;
}

function validateLink({ fixtures }: Transaction, merchant: Merchant, order: LinkOrder): BrokenRule[] {
  const { currency, currencyId, startDate, endDate, imageAction } = order;
  const brokenRules = [...validateCurrency(fixtures, currency), ...validateProfile(merchant, Number(order.profileId))];
  const knownCurrency = fixtures.currencies.currencies.find(({ currencyCode }) => currencyCode === currency);
  if (knownCurrency && String(knownCurrency.id) !== currencyId) {
    brokenRules.push({
      path: '$.currencyId',
      expected: `${knownCurrency.id}, the id of ${currency}`,
      value: currencyId,
      involves: ['$.currency'],
    });
  }
  if (endDate < startDate) {
    const expected = `a day not before the start date ${startDate}`;
    brokenRules.push({ path: '$.endDate', expected, value: endDate, involves: ['$.startDate'] });
  }
  if (imageAction === 'UPDATE' && order.id === '') {
    brokenRules.push({
      path: '$.imageAction',
      expected: 'NEW or NONE for a new link',
      value: imageAction,
      involves: ['$.id'],
    });
  }
  return brokenRules;
}

function replaceImage(
  transaction: Transaction,
  existing: PaymentLink | undefined,
  action: LinkOrder['imageAction'],
  image: LinkImage | null,
): string | null {
  const currentImageId = existing?.imageId ?? null;
  if (action === 'NONE' || image === null) {
    return currentImageId;
  }
  if (currentImageId !== null) {
    transaction.remove('images', currentImageId);
  }
  // Each image has a new id, so that the picture at an address never changes.
  const id = `image-${transaction.next('image')}`;
  transaction.put('images', { id, ...image });
  return id;
}
