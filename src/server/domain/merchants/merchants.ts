import { Refusal } from '../../../base/refusal.ts';
import type { MerchantCredentials } from '../../../base/schema/generated/control.ts';
import type { Merchant } from '../../../base/schema/generated/records.ts';
import { fillTemplate } from '../../config/template.ts';
import type { CallContext } from '../../sessions/call-context.ts';
import type { Reader } from '../../sessions/reader.ts';
import type { Session } from '../../sessions/session.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import type { BrokenRule } from '../business-rules.ts';

/** The merchant as the session knows it: registered there, or standing in the fixture; undefined when unknown. */
export function findMerchant(reader: Reader, id: string): Merchant | undefined {
  return reader.get('merchants', id) ?? reader.fixtures.merchant(id);
}

/**
 * The merchant whose credentials these are. With open registration an unknown merchantId registers itself with the
 * credentials it first shows. Throws `wrong-credentials`. Source: ours (design, "Merchants").
 */
export async function authenticate(
  session: Session,
  credentials: MerchantCredentials,
  open: boolean,
  context?: CallContext,
): Promise<Merchant> {
  const known = recognize(session.reader, credentials, open);
  return known ?? session.transact(async (transaction) => authenticateIn(transaction, credentials, open), context);
}

/** The same, in a transaction. */
export function authenticateIn(transaction: Transaction, credentials: MerchantCredentials, open: boolean): Merchant {
  return recognize(transaction, credentials, open) ?? register(transaction, credentials);
}

/** The same, without registering anybody: undefined for a merchant that could register itself. */
export function recognize(reader: Reader, credentials: MerchantCredentials, open: boolean): Merchant | undefined {
  const known = findMerchant(reader, credentials.merchantId);
  if (!known && !open) {
    throw new Refusal(
      'wrong-credentials',
      `merchantId ${credentials.merchantId} is not known and registration is closed; add it to merchants.json or start with --merchants open`,
    );
  }
  return known && checkKeys(known, credentials);
}

/** Refuses a merchant that is not both activated and approved. Source: reference, section 8 (403). */
export function checkMayTrade({ id, activated, approved }: Merchant): void {
  const missing = [...(activated ? [] : ['activated']), ...(approved ? [] : ['approved'])];
  if (missing.length > 0) {
    throw new Refusal(
      'merchant-not-activated',
      `merchant ${id} is not ${missing.join(' and not ')}; a merchant needs to be activated and approved for this`,
    );
  }
}

/** The payment profile of a merchant; undefined for one that it does not have. */
export function profileOf(merchant: Merchant, profileId: number): Merchant['profiles'][number] | undefined {
  const profile = merchant.profiles.find(({ id }) => id === profileId);
  return profile ?? (merchant.anyProfile ? { id: profileId, name: `Profile ${profileId}`, mode: 'normal' } : undefined);
}

/** The rule that a profile breaks which its merchant does not have. */
export function profileBroken(merchant: Merchant, profileId: number): BrokenRule[] {
  if (profileOf(merchant, profileId)) {
    return [];
  }
  const known = merchant.profiles.map(({ id, name }) => `${id} (${name})`).join(', ');
  return [{ path: '$.profileId', expected: `a profile of merchant ${merchant.id}: ${known}`, value: profileId }];
}

/** The rule that a receiver of money breaks which is not an approved merchant. */
export function receiverBroken(reader: Reader, id: string, path: string): BrokenRule[] {
  const receiver = findMerchant(reader, id);
  if (receiver?.approved) {
    return [];
  }
  const remark = receiver ? 'which is not approved' : 'which is not known';
  return [{ path, expected: 'the id of an approved merchant (see merchants.json)', value: id, remark }];
}

function checkKeys(merchant: Merchant, credentials: MerchantCredentials): Merchant {
  const wrong = (['merchantApiKey', 'merchantKey'] as const).filter((key) => merchant[key] !== credentials[key]);
  if (wrong.length > 0) {
    throw new Refusal('wrong-credentials', `wrong ${wrong.join(' and ')} for ${merchant.id}`);
  }
  return merchant;
}

function register(transaction: Transaction, credentials: MerchantCredentials): Merchant {
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
