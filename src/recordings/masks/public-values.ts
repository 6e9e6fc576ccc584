import { membersOf } from '../../base/members.ts';
import type { MerchantsFixture, PayoutsFixture, TestCardsFixture } from '../../base/schema/fixtures.ts';
import { FILES, type FixtureFiles, readJsonIfThere, SHIPPED } from '../../config/fixture-files.ts';

/** Credentials, cards, accounts and users that everybody has who installs this: a sandbox knows them, and masked it would not. */
export function publicValues(): ReadonlySet<string> {
  const { cards } = shipped('testCards') as TestCardsFixture;
  const { accounts } = shipped('payouts') as PayoutsFixture;
  const { newcomer } = shipped('merchants') as MerchantsFixture;
  const users = [newcomer, ...shippedMerchants()].map(({ user }) => user);
  return new Set([
    ...users.flatMap(({ email, firstName, lastName }) => [email, firstName, lastName]),
    ...shippedMerchants().flatMap(({ id, merchantApiKey, merchantKey }) => [id, merchantApiKey, merchantKey]),
    ...cards.flatMap(({ numbers }) => Object.values(numbers)),
    ...Object.keys(accounts),
  ]);
}

/** Merchants whose credentials everybody has. */
export function shippedMerchants(): MerchantsFixture['merchants'] {
  return (shipped('merchants') as MerchantsFixture).merchants;
}

function shipped(name: keyof FixtureFiles): unknown {
  return membersOf(readJsonIfThere(`${SHIPPED}${FILES[name]}`));
}
