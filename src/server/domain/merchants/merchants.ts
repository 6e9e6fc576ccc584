import type { Awaitable } from '../../../base/awaitable.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { MerchantCredentials } from '../../../base/schema/generated/control.ts';
import type { Merchant } from '../../../base/schema/generated/records.ts';
import { fillTemplate } from '../../config/template.ts';
import type { CallContext } from '../../sessions/call-context.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { BrokenRule } from '../broken-rules.ts';

/** The merchant that is registered in the session, or else the one in the fixture; undefined if unknown. */
export function findMerchant(reader: Reader, id: string): Merchant | undefined {
  return reader.get('merchants', id) ?? reader.fixtures.merchant(id);
}

/**
 * The merchant with these credentials. With open registration (`isOpen`), an unknown merchantId is registered with them. Throws
 * `wrong-credentials`. Source: ours.
 */
export function authenticate(
  session: Session,
  credentials: MerchantCredentials,
  isOpen: boolean,
  context?: CallContext,
): Awaitable<Merchant> {
  const merchant = recognize(session.reader, credentials, isOpen);
  return merchant ?? session.transact((transaction) => authenticateIn(transaction, credentials, isOpen), context);
}

/** Like authenticate, in a transaction. */
export function authenticateIn(transaction: Transaction, credentials: MerchantCredentials, isOpen: boolean): Merchant {
  return recognize(transaction, credentials, isOpen) ?? registerMerchant(transaction, credentials);
}

/** Like authenticate, without registration: undefined for a merchant that could be registered. */
export function recognize(reader: Reader, credentials: MerchantCredentials, isOpen: boolean): Merchant | undefined {
  const merchant = findMerchant(reader, credentials.merchantId);
  if (!merchant && !isOpen) {
    throw new Refusal(
      'wrong-credentials',
      `merchantId ${credentials.merchantId} is not known and registration is closed; add it to merchants.json or start with --merchants open`,
    );
  }
  return merchant && checkKeys(merchant, credentials);
}

/** Throws `merchant-not-activated` unless a merchant is activated and approved. Source: reference, section 8 (403). */
export function checkMayTrade({ id, activated, approved }: Merchant): void {
  const missing = [...(activated ? [] : ['activated']), ...(approved ? [] : ['approved'])];
  if (missing.length > 0) {
    throw new Refusal(
      'merchant-not-activated',
      `merchant ${id} is not ${missing.join(' and not ')}; a merchant needs to be activated and approved for this`,
    );
  }
}

/** A payment profile of a merchant; undefined if it has none with this id. With `anyProfile`, every id has one. */
export function profileOf(merchant: Merchant, profileId: number): Merchant['profiles'][number] | undefined {
  const profile = merchant.profiles.find(({ id }) => id === profileId);
  return profile ?? (merchant.anyProfile ? { id: profileId, name: `Profile ${profileId}`, mode: 'normal' } : undefined);
}

export function validateProfile(merchant: Merchant, profileId: number): BrokenRule[] {
  if (profileOf(merchant, profileId)) {
    return [];
  }
  const profileNames = merchant.profiles.map(({ id, name }) => `${id} (${name})`).join(', ');
  return [{ path: '$.profileId', expected: `a profile of merchant ${merchant.id}: ${profileNames}`, value: profileId }];
}

export function validateReceiver(reader: Reader, id: string, path: string): BrokenRule[] {
  const receiver = findMerchant(reader, id);
  if (receiver?.approved) {
    return [];
  }
  const remark = receiver ? 'which is not approved' : 'which is not known';
  return [{ path, expected: 'the id of an approved merchant (see merchants.json)', value: id, remark }];
}

function checkKeys(merchant: Merchant, credentials: MerchantCredentials): Merchant {
  const wrongKeys = (['merchantApiKey', 'merchantKey'] as const).filter((key) => merchant[key] !== credentials[key]);
  if (wrongKeys.length > 0) {
    throw new Refusal('wrong-credentials', `wrong ${wrongKeys.join(' and ')} for ${merchant.id}`);
  }
  return merchant;
}

function registerMerchant(transaction: Transaction, credentials: MerchantCredentials): Merchant {
  const number = transaction.next('merchant');
  const { newcomer } = transaction.fixtures.merchants;
  const merchant: Merchant = {
    ...newcomer,
    id: credentials.merchantId,
    merchantApiKey: credentials.merchantApiKey,
    merchantKey: credentials.merchantKey,
    name: String(fillTemplate(newcomer.name, { merchantId: credentials.merchantId })),
    user: { ...newcomer.user, id: newcomer.user.id + number },
    accountId: newcomer.accountId + number,
  };
  transaction.put('merchants', merchant);
  transaction.emit('merchant.registered', 'merchants', merchant.id);
  return merchant;
}
