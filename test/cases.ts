/** The number of cases of a property test: `CASES=20 npm run test:only -- test/server/domain/books` tries twenty times as many, `npm test` a tenth. */
export function cases(usual: number): number {
  return Math.ceil(usual * Number(process.env['CASES'] ?? 1));
}
