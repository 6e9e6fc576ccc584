import fc from 'fast-check';
import { dateAfter, dateIn, instantIn, isZone, MINUTES_OF_DAY, minutesOf, weekdayOf } from '../../src/base/calendar.ts';
import { cases } from '../cases.ts';

const iso = (instant: number) => new Date(instant).toISOString();

it.each([
  ['2026-03-01', '24:00', '+02:00', '2026-03-01T22:00:00.000Z'],
  ['2026-03-01', '17:30', '-03:30', '2026-03-01T21:00:00.000Z'],
  ['2026-03-01', '00:00', 'Africa/Harare', '2026-02-28T22:00:00.000Z'],
  ['2026-03-28', '24:00', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', '24:00', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
])('the local time %s %s in %s is the instant %s', (date, time, zone, expected) => {
  expect(iso(instantIn(date, minutesOf(time), zone))).toBe(expected);
});

it('a day ends when the next one begins, even if it has 23 or 25 hours', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Harare', '+05:45');
  const days = fc.integer({ min: 0, max: 30_000 }).map((day) => iso(day * 86_400_000).slice(0, 10));
  fc.assert(
    fc.property(days, zones, (date, zone) => {
      const end = instantIn(date, MINUTES_OF_DAY, zone);
      expect(end).toBe(instantIn(dateAfter(date, 1), 0, zone));
      expect(dateIn(end, zone)).toBe(dateAfter(date, 1));
      expect(dateIn(end - 1, zone)).toBe(date);
    }),
    { numRuns: cases(100) },
  );
});

it('a date has its weekday, and only known time zones and valid offsets are accepted as zones', () => {
  expect([weekdayOf('2026-03-01'), weekdayOf('1970-01-01'), weekdayOf('2024-02-29')]).toEqual([
    'Sunday',
    'Thursday',
    'Thursday',
  ]);
  expect(['Europe/Berlin', '+02:00', 'Mars/Base', '+25:00', ''].map(isZone)).toEqual([true, true, false, false, false]);
});
