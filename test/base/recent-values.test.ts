import { RecentValues } from '../../src/base/recent-values.ts';

const MIN_REMEMBERED = 10_000;

it('RecentValues keeps at least N and at most 2 N of the newest values', () => {
  const recent = new RecentValues<number>();
  for (let number = 0; number < 5 * MIN_REMEMBERED; number += 1) {
    recent.set(`key-${number}`, number);
  }
  const last = 5 * MIN_REMEMBERED - 1;
  expect(recent.get(`key-${last}`)).toBe(last);
  expect(recent.get(`key-${last - MIN_REMEMBERED + 1}`)).toBe(last - MIN_REMEMBERED + 1);
  expect(recent.has(`key-${last - 2 * MIN_REMEMBERED}`)).toBe(false);
});

it('RecentValues keeps only the last version of a value that is set again', () => {
  const recent = new RecentValues<number>();
  recent.set('key', 1);
  for (let number = 0; number < MIN_REMEMBERED; number += 1) {
    recent.set(`other-${number}`, number);
  }
  recent.set('key', 2);
  expect(recent.get('key')).toBe(2);
  recent.deleteWhere((value) => value === 2);
  expect(recent.has('key')).toBe(false);
});

it('RecentValues keeps a value that getAsNewest returns again and again, and drops older ones', () => {
  const recent = new RecentValues<number>(10);
  recent.set('key', 1);
  for (let number = 0; number < 100; number += 1) {
    recent.set(`other-${number}`, number);
    expect(recent.getAsNewest('key')).toBe(1);
  }
  expect(recent.has('other-0')).toBe(false);
});

it('RecentValues is empty after everything was deleted', () => {
  const recent = new RecentValues<number>();
  expect(recent.isEmpty).toBe(true);
  recent.set('a', 1);
  expect(recent.isEmpty).toBe(false);
  recent.delete('a');
  expect(recent.isEmpty).toBe(true);
});
