import { examineAgain } from '../../src/test-kit/examine-again.ts';
import { itHolds } from '../../src/test-kit/jest.ts';

it('itHolds defines a test with the id in its name and a longer time limit', () => {
  const tests: unknown[] = [];
  itHolds('I2-notified-twice-qr-wallet', {}, { test: (name, _run, timeout) => tests.push([name, timeout]) });
  expect(tests).toEqual([['I2-notified-twice-qr-wallet holds', 600_000]]);
});

it('itHolds reports that the globals are missing', () => {
  expect(() => itHolds('I2-notified-twice-qr-wallet', {}, {})).toThrow(/global test is missing.*@jest\/globals/);
});

it('examineAgain rejects with the output of the program if the examination cannot run', async () => {
  const trying = examineAgain('I99-nothing', { args: ['examine', 'nowhere.mjs'], amount: '10.00' });
  await expect(trying).rejects.toThrow(/^I99-nothing does not hold:\n.*nowhere\.mjs cannot be loaded/s);
});
