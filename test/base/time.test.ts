import fc from 'fast-check';
import { dateIn } from '../../src/base/calendar.ts';
import { validate } from '../../src/base/schema/validation.ts';
import {
  addDays,
  addDuration,
  advanceInstant,
  endOfDay,
  formatDuration,
  formatLocal,
  formatUtc,
  formatWithOffset,
  isClockInstant,
  isDuration,
  isInstant,
  LAST_CLOCK_INSTANT,
  LAST_INSTANT,
  parseInstant,
  startOfDay,
  TimeRangeError,
} from '../../src/base/time.ts';
import { cases } from '../cases.ts';

const instants = fc.integer({ min: 0, max: LAST_INSTANT - 86_400_000 });

it('an instant written with any offset reads back as the same instant', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom('+00:00', '+02:00', '-05:30', '+14:00'), (instant, offset) => {
      const text = formatWithOffset(instant, offset);
      expect(text.endsWith(offset)).toBe(true);
      expect(parseInstant(text)).toBe(instant);
      expect(parseInstant(formatUtc(instant).slice(0, -1))).toBe(instant);
    }),
    { numRuns: cases(100) },
  );
});

it('timestamps are written as in the interface', () => {
  const instant = Date.parse('2024-10-11T10:46:21.394Z');
  expect(formatWithOffset(instant, '+02:00')).toBe('2024-10-11T12:46:21.394+02:00');
  expect(formatLocal(instant, '+02:00')).toBe('2024-10-11 12:46:21.394');
  expect(formatUtc(instant)).toBe('2024-10-11T10:46:21.394Z');
});

it('a duration reads back as itself, to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
      expect(addDuration(0, formatDuration(seconds * 1000))).toBe(seconds * 1000);
    }),
    { numRuns: cases(100) },
  );
  expect([0, 2_591_999_997, 90_061_000].map(formatDuration)).toEqual(['PT0S', 'P30D', 'P1DT1H1M1S']);
});

it('a day begins and ends at midnight in local time', () => {
  expect(formatUtc(startOfDay('2026-03-01', '+02:00'))).toBe('2026-02-28T22:00:00.000Z');
  expect(endOfDay('2026-03-01', '+02:00')).toBe(addDays(startOfDay('2026-03-01', '+02:00'), 1));
});

it.each([
  ['PT15M', '2026-01-31T00:15:00.000Z'],
  ['P1D', '2026-02-01T00:00:00.000Z'],
  ['P1W', '2026-02-07T00:00:00.000Z'],
  ['PT1.5S', '2026-01-31T00:00:01.500Z'],
  ['P1M', '2026-02-28T00:00:00.000Z'],
  ['P1Y', '2027-01-31T00:00:00.000Z'],
])('the duration %s is added to an instant by the UTC calendar', (duration, expected) => {
  expect(formatUtc(addDuration(Date.parse('2026-01-31T00:00:00.000Z'), duration))).toBe(expected);
});

describe('an instant', () => {
  it.each([
    ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T01:30:00.5+02:00', '2025-12-31T23:30:00.500Z'],
    ['2026-01-01T00:00:00.123456-05:30', '2026-01-01T05:30:00.123Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['1970-01-01T01:00:00+02:00', '1969-12-31T23:00:00.000Z'],
    ['0026-01-01T00:00:00-12:00', '0026-01-01T12:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(formatUtc(parseInstant(text))).toBe(expected);
  });

  it.each([
    'noon',
    '2026-01-01',
    '2026-01-01T00:00Z',
    '2026-01-01t00:00:00Z',
    '2026-01-01T00:00:00z',
    '2026-01-01 00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+0200',
    '9999-12-31T23:59:59-00:01',
    '+10000-01-01T00:00:00Z',
  ])('cannot have the form %s, and the error shows a valid form', (text) => {
    expect(isInstant(text)).toBe(false);
    expect(() => parseInstant(text)).toThrow(`such as 2026-03-01T10:00:00Z`);
    expect(() => parseInstant(text)).toThrow(JSON.stringify(text));
  });

  it('is accepted only if JavaScript reads it the same way', () => {
    const number = fc.integer({ min: 0, max: 99 }).map((each) => String(each).padStart(2, '0'));
    const text = fc
      .tuple(fc.integer({ min: 1970, max: 9999 }), number, number, number, number, number)
      .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    fc.assert(
      fc.property(text, (each) => {
        if (isInstant(each)) {
          expect(parseInstant(each)).toBe(Date.parse(each));
        }
      }),
      { numRuns: cases(100) },
    );
  });
});

describe('a duration', () => {
  it.each(['P1000Y', 'P12000M', 'P365242D', 'PT0S', 'PT0.5H', 'PT1,5S', 'P1Y2M3W4DT5H6M7.008S', '0s', '365242d'])(
    'may be %s',
    (text) => {
      expect(isDuration(text)).toBe(true);
    },
  );

  it.each([
    'a while',
    '',
    'P',
    'PT',
    'P1',
    'PT15',
    '15M',
    '-PT1S',
    'PT-1S',
    '+PT1S',
    'pt1s',
    'PT1S ',
    'in PT1S',
    'P0.5M',
    'P0.5Y',
    'PT0.0001S',
    'PT0.0000000000000000000001S',
    'P1001Y',
    'P12001M',
    'P365243D',
    '365243d',
    '15',
    '15 m',
    '1h30m',
    '-15m',
    '0.5ms',
    '1y',
    `P${'9'.repeat(400)}D`,
    `P${'9'.repeat(400)}Y`,
  ])('cannot be %s, and the error shows valid forms', (text) => {
    expect(isDuration(text)).toBe(false);
    expect(() => addDuration(0, text)).toThrow('a duration such as 15m, PT15M');
  });

  it.each([
    ['250ms', 'PT0.25S'],
    ['90s', 'PT1M30S'],
    ['15m', 'PT15M'],
    ['1.5h', 'PT1H30M'],
    ['2d', 'P2D'],
    ['1w', 'P7D'],
  ])('of %s is the same as %s', (short, long) => {
    expect(addDuration(0, short)).toBe(addDuration(0, long));
  });

  it('of whole milliseconds is added exactly', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 86_400_000 }), (instant, milliseconds) => {
        expect(addDuration(instant, `PT${(milliseconds / 1000).toFixed(3)}S`)).toBe(instant + milliseconds);
      }),
      { numRuns: cases(100) },
    );
  });

  it('leads to a time up to LAST_INSTANT, or is refused as an invalid field', () => {
    const duration = fc
      .tuple(fc.nat(1000), fc.nat(12_000), fc.nat(400_000), fc.nat(1e9))
      .map(([years, months, days, seconds]) => `P${years}Y${months}M${days}DT${seconds}S`);
    fc.assert(
      fc.property(instants, duration.filter(isDuration), (instant, text) => {
        try {
          const sum = addDuration(instant, text);
          expect([Number.isInteger(sum), sum >= instant, sum <= LAST_INSTANT]).toEqual([true, true, true]);
        } catch (error) {
          expect(error).toBeInstanceOf(TimeRangeError);
          expect((error as TimeRangeError).kind).toBe('invalid-field');
        }
      }),
      { numRuns: cases(100) },
    );
    expect(() => addDuration(LAST_INSTANT, 'PT0.001S')).toThrow(TimeRangeError);
    expect(() => addDuration(Number.NaN, 'PT0S')).toThrow();
    expect(addDuration(LAST_INSTANT, 'PT0S')).toBe(LAST_INSTANT);
  });
});

it.each(['1969-12-31T23:59:59Z', '1970-01-01T01:00:00+02:00', '0026-01-01T00:00:00Z'])(
  '%s is an instant, but no clock can show it',
  (text) => {
    expect([isInstant(text), isClockInstant(text)]).toEqual([true, false]);
  },
);

it('a clock never reaches a time at which planned times would be out of range', async () => {
  const longest = (instant: number) => addDuration(instant, 'P1000Y');
  const last = longest(longest(longest(LAST_CLOCK_INSTANT - 86_400_000)));
  expect(formatUtc(last)).toMatch(/^9999-12-3/);
  expect(() => advanceInstant(LAST_CLOCK_INSTANT, 'PT0.001S')).toThrow(TimeRangeError);
  expect(advanceInstant(LAST_CLOCK_INSTANT - 1, 'PT0.001S')).toBe(LAST_CLOCK_INSTANT);
  const findings = (now: number) => validate('records/session-state', { clock: { mode: 'frozen', now } });
  const isRefused = async (now: number) => (await findings(now)).some(({ path }) => path.startsWith('$.clock'));
  expect(await Promise.all([LAST_CLOCK_INSTANT, LAST_CLOCK_INSTANT + 1].map(isRefused))).toEqual([false, true]);
  expect([LAST_CLOCK_INSTANT, LAST_CLOCK_INSTANT + 1].map((each) => isClockInstant(formatUtc(each)))).toEqual([
    true,
    false,
  ]);
});

it('a written timestamp has four digits in its year, for any instant and offset', () => {
  const instants = fc.oneof(
    fc.nat({ max: LAST_INSTANT }),
    fc.nat({ max: 100_000_000 }).map((each) => LAST_INSTANT - each),
  );
  const offsets = fc.constantFrom('-12:00', '+00:00', '+02:00', '+14:00');
  fc.assert(
    fc.property(instants, offsets, (instant, offset) => {
      expect(formatWithOffset(instant, offset)).toMatch(/^\d{4}-/);
      expect(formatLocal(instant, offset)).toMatch(/^\d{4}-/);
      const date = dateIn(instant, offset);
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(isInstant(formatUtc(endOfDay(date, offset)))).toBe(true);
    }),
    { numRuns: cases(100) },
  );
});
