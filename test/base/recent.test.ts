import { Recent } from '../../src/base/recent.ts';

const REMEMBERED = 10_000;

it('Recent remembers at least N and at most 2 N of the newest values', () => {
  const recent = new Recent<number>();
  for (let number = 0; number < 5 * REMEMBERED; number += 1) {
    recent.set(`key-${number}`, number);
  }
  const last = 5 * REMEMBERED - 1;
  expect(recent.get(`key-${last}`)).toBe(last);
  expect(recent.get(`key-${last - REMEMBERED + 1}`)).toBe(last - REMEMBERED + 1);
  expect(recent.has(`key-${last - 2 * REMEMBERED}`)).toBe(false);
});

it('Recent counts a value that is set again as the newest, and keeps only its last version', () => {
  const recent = new Recent<number>();
  recent.set('key', 1);
  for (let number = 0; number < REMEMBERED; number += 1) {
    recent.set(`other-${number}`, number);
  }
  recent.set('key', 2);
  expect(recent.get('key')).toBe(2);
  recent.deleteWhere((value) => value === 2);
  expect(recent.has('key')).toBe(false);
});

it('Recent counts a value that is used as the newest, and keeps the requested number of values', () => {
  const recent = new Recent<number>(10);
  recent.set('key', 1);
  for (let number = 0; number < 100; number += 1) {
    recent.set(`other-${number}`, number);
    expect(recent.use('key')).toBe(1);
  }
  expect(recent.has('other-0')).toBe(false);
});

it('Recent is empty after everything was deleted', () => {
  const recent = new Recent<number>();
  expect(recent.isEmpty).toBe(true);
  recent.set('a', 1);
  expect(recent.isEmpty).toBe(false);
  recent.delete('a');
  expect(recent.isEmpty).toBe(true);
});
