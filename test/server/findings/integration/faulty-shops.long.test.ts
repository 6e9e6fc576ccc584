import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, MUTANTS, type Mutant } from '../../../../scripts/examine-shops/mutants.mjs';
import { temporaryFolders } from '../../../temporary-folder.ts';
import { findingsOf } from './shop-findings.ts';

const SHOP = 'scripts/examine-shops/shop/shop.mjs';
const ADAPTER = 'scripts/examine-shops/shop/examine.mjs';
/** Situations in which a wrong shop gets findings and a correct one does not. */
const DECISIVE_SITUATIONS = [
  ...['call-refused', 'answer-lost', 'answers-lost', 'failed', 'refunded', 'query-refused'],
  ...['notified-twice', 'notified-never', 'notified-tampered'],
  ...['forged-signature', 'forged-unsigned', 'forged-old', 'forged-amount', 'forged-reference'],
];
const folder = temporaryFolders()();

function commandOf(mutants: readonly Mutant[]): string {
  const file = join(folder, 'wrong.mjs');
  writeFileSync(
    file,
    mutants.reduce((source, mutant) => applyMutant(mutant, source), readFileSync(SHOP, 'utf8')),
  );
  return `"${process.execPath}" "${file}"`;
}

it.each(MUTANTS.map((mutant: Mutant): [string, Mutant] => [mutant.name, mutant]))(
  'a shop that %s gets exactly the expected findings',
  async (_name, mutant) => {
    expect(await findingsOf(ADAPTER, commandOf([mutant]), DECISIVE_SITUATIONS)).toEqual(mutant.findings ?? []);
  },
);

it('a shop that believes forged notifications is found even if it never queries the status', async () => {
  const names = ['does not verify signatures', 'applies notifications in the order of arrival'];
  const mutants = MUTANTS.filter(({ name }: Mutant) => names.includes(name));
  expect(await findingsOf(ADAPTER, commandOf(mutants), DECISIVE_SITUATIONS)).toEqual(['SBX-W20']);
});
