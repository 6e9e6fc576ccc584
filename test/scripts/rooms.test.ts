import { measureRooms, textOfRooms } from '../../scripts/rooms.mjs';

const measured = measureRooms();

it.each(measured.budgets)('$name has at most $limit lines', ({ lines, limit, aim }) => {
  expect(lines).toBeGreaterThan(0);
  expect(lines).toBeLessThanOrEqual(limit);
  expect(aim).toBeLessThanOrEqual(limit);
});

it('every line of src is in a room, and generated types are in none', () => {
  const sum = [...measured.rooms.values()].reduce((total, lines) => total + lines, 0);
  expect(measured.budgets.find(({ name }) => name === 'all')?.lines).toBe(sum);
  expect(measured.longest.map(({ file }) => file)).not.toContain('src/base/schema/generated/control.ts');
});

it('the table of rooms names imports between rooms and the longest files', () => {
  const text = textOfRooms(measured);
  expect(text).toMatch(/\d+ {2}server\/app → server\/sessions\n/);
  expect(text).toContain(`${measured.longest[0]?.lines}  ${measured.longest[0]?.file}`);
});
