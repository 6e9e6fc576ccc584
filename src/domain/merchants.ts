import { Refusal } from '../refusal.ts';
import type { Merchant } from '../schema/records.ts';
import type { Reader } from '../sessions/reader.ts';
import type { Session } from '../sessions/session.ts';
import type { Transaction } from '../sessions/transaction.ts';

/** The three credentials of INTERFACE.md, "Merchant credentials". */
export interface Credentials {
  merchantId: string;
  merchantApiKey: string;
  merchantKey: string;
}

/** The merchant as the session knows it: registered there, or standing in the fixture; undefined when unknown. */
export async function findMerchant(reader: Reader, id: string): Promise<Merchant | undefined> {
  return (await reader.get('merchants', id)) ?? reader.fixtures.merchant(id);
}

/**
 * The merchant whose credentials these are. With open registration an unknown merchantId registers itself with the
 * credentials it first shows. Throws `wrong-credentials`. Source: ours (design, "Merchants").
 */
export async function authenticate(session: Session, credentials: Credentials, open: boolean): Promise<Merchant> {
  const known = await findMerchant(session, credentials.merchantId);
  if (known) {
    return checkKeys(known, credentials);
  }
  if (!open) {
    throw new Refusal(
      'wrong-credentials',
      `merchantId ${credentials.merchantId} is not known and registration is closed; add it to merchants.json or start with --merchants open`,
    );
  }
  return session.transact(async (transaction) => {
    const meanwhile = await findMerchant(transaction, credentials.merchantId);
    return meanwhile ? checkKeys(meanwhile, credentials) : register(transaction, credentials);
  });
}

/** Refuses a merchant that may not take payments. Source: reference, section 8 (403). */
export function checkActivated(merchant: Merchant): void {
  if (!merchant.activated) {
    throw new Refusal('merchant-not-activated', `merchant ${merchant.id} is not activated; its payments are refused`);
  }
}

/** The payment profile of a merchant. Throws `business-rule` for one that it does not have. */
export function profileOf(merchant: Merchant, profileId: number): Merchant['profiles'][number] {
  const profile = merchant.profiles.find(({ id }) => id === profileId);
  if (profile) {
    return profile;
  }
  if (merchant.anyProfile) {
    return { id: profileId, name: `Profile ${profileId}`, mode: 'normal' };
  }
  const known = merchant.profiles.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new Refusal('business-rule', `merchant ${merchant.id} has no profile ${profileId}; it has ${known}`);
}

function checkKeys(merchant: Merchant, credentials: Credentials): Merchant {
  const wrong = (['merchantApiKey', 'merchantKey'] as const).filter((key) => merchant[key] !== credentials[key]);
  if (wrong.length > 0) {
    throw new Refusal(
      'wrong-credentials',
      `merchant ${merchant.id} is known with another ${wrong.join(' and another ')} than the one sent`,
    );
  }
  return merchant;
}

function register(transaction: Transaction, credentials: Credentials): Merchant {
  const number = transaction.next('merchant');
  const { newcomer } = transaction.fixtures.merchants;
  const merchant: Merchant = {
    ...newcomer,
    id: credentials.merchantId,
    merchantApiKey: credentials.merchantApiKey,
    merchantKey: credentials.merchantKey,
    name: newcomer.name.replace('{{merchantId}}', credentials.merchantId),
    user: { ...newcomer.user, id: newcomer.user.id + number },
    accountId: newcomer.accountId + number,
  };
  transaction.put('merchants', merchant);
  transaction.emit('merchant.registered', 'merchants', merchant.id);
  return merchant;
}
