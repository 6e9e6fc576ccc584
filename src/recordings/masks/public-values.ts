import { readdirSync } from 'node:fs';
import { membersOf } from '../../base/members.ts';
import { PACKAGE_ROOT } from '../../base/package.ts';
import type { MerchantsFixture, PayoutsFixture, TestCardsFixture } from '../../base/schema/generated/fixtures.ts';
import { loadSchema } from '../../base/schema/load-schema.ts';
import { FILES, type FixtureFiles, readJsonIfExists, SHIPPED_FOLDER } from '../../server/index.ts';

/** Shorter examples could be anything, such as a PIN. */
const MIN_EXAMPLE_LENGTH = 6;

/**
 * Credentials, cards, accounts, users and examples in this package, which are not secrets. They are not masked, because a sandbox would
 * not recognise masked ones when a recording is played.
 */
export function publicValues(): ReadonlySet<string> {
  const { cards } = readShipped('testCards') as TestCardsFixture;
  const { accounts } = readShipped('payouts') as PayoutsFixture;
  const { newcomer } = readShipped('merchants') as MerchantsFixture;
  const users = [newcomer, ...shippedMerchants()].map(({ user }) => user);
  return new Set([
    ...users.flatMap(({ email, firstName, lastName }) => [email, firstName, lastName]),
    ...shippedMerchants().flatMap(({ id, merchantApiKey, merchantKey }) => [id, merchantApiKey, merchantKey]),
    ...cards.flatMap(({ numbers }) => Object.values(numbers)),
    ...Object.keys(accounts),
    ...readExamples(),
  ]);
}

export function shippedMerchants(): MerchantsFixture['merchants'] {
  return (readShipped('merchants') as MerchantsFixture).merchants;
}

function readExamples(): string[] {
  const names = readdirSync(`${PACKAGE_ROOT}schemas/requests`).map((file) => file.replace(/\.json$/, ''));
  return names.flatMap((name) => examplesIn(loadSchema(`requests/${name}`)));
}

function examplesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'examples' && Array.isArray(value)
      ? value.filter((each) => typeof each === 'string' && each.length >= MIN_EXAMPLE_LENGTH)
      : examplesIn(value),
  );
}

function readShipped(name: keyof FixtureFiles): unknown {
  return membersOf(readJsonIfExists(`${SHIPPED_FOLDER}${FILES[name]}`));
}
