import { membersOf } from '../../base/members.ts';
import type { MerchantsFixture, PayoutsFixture, TestCardsFixture } from '../../base/schema/fixtures.ts';
import { FILES, type FixtureFiles, readJsonIfThere, SHIPPED } from '../../config/fixture-files.ts';

/** Credentials, cards and accounts that everybody has who installs this: a sandbox knows them, and masked it would not. */
export function publicValues(): ReadonlySet<string> {
  const { merchants } = shipped('merchants') as MerchantsFixture;
  const { cards } = shipped('testCards') as TestCardsFixture;
  const { accounts } = shipped('payouts') as PayoutsFixture;
  return new Set([
    ...merchants.flatMap(({ id, merchantApiKey, merchantKey }) => [id, merchantApiKey, merchantKey]),
    ...cards.flatMap(({ numbers }) => Object.values(numbers)),
    ...Object.keys(accounts),
  ]);
}

function shipped(name: keyof FixtureFiles): unknown {
  return membersOf(readJsonIfThere(`${SHIPPED}${FILES[name]}`));
}
