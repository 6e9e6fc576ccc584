import fc from 'fast-check';
import {
  addDays,
  addDuration,
  endOfDay,
  formatProcessed,
  formatUtc,
  formatWithOffset,
  parseInstant,
  startOfDay,
} from '../src/time.ts';

const instants = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') });

it('writes an instant in any offset so that it reads back as the same instant', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom('+00:00', '+02:00', '-05:30', '+14:00'), (instant, offset) => {
      const text = formatWithOffset(instant, offset);
      expect(text.endsWith(offset)).toBe(true);
      expect(parseInstant(text)).toBe(instant);
    }),
  );
});

it('writes timestamps as the interface does', () => {
  const instant = Date.parse('2024-10-11T10:46:21.394Z');
  expect(formatWithOffset(instant, '+02:00')).toBe('2024-10-11T12:46:21.394+02:00');
  expect(formatProcessed(instant, '+02:00')).toBe('2024-10-11 12:46:21.394');
  expect(formatUtc(instant)).toBe('2024-10-11T10:46:21.394Z');
});

it('counts days in local time', () => {
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
])('adds %s by the calendar', (duration, expected) => {
  expect(formatUtc(addDuration(Date.parse('2026-01-31T00:00:00.000Z'), duration))).toBe(expected);
});

it('refuses what is no duration', () => {
  expect(() => addDuration(0, 'a while')).toThrow();
});
