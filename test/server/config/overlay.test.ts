import { findDuplicates, overlay, pathInChanges } from '../../../src/server/config/overlay.ts';

const base = { a: { b: 1, c: 2 }, list: [{ id: 1, x: 1 }, { id: 2 }], names: ['one'] };
const changes = { a: { c: 3 }, list: [{ id: 3 }, { id: 1, y: 2 }], names: ['two'] };
const merged = overlay(base, changes);

it('an overlay merges objects, and lists by id; other lists are replaced', () => {
  expect(merged).toEqual({
    a: { b: 1, c: 3 },
    list: [{ id: 1, x: 1, y: 2 }, { id: 2 }, { id: 3 }],
    names: ['two'],
  });
});

it('an overlay replaces each envelope of a refusal as a whole, but merges objects in other members', () => {
  const shipped = { statuses: { a: 400, b: 401 }, envelopes: { query: { x: 1, y: 2 }, payment: { x: 1 } } };
  const changed = { statuses: { a: 422 }, envelopes: { query: { z: 3 } } };
  const statuses = { a: 422, b: 401 };
  expect(overlay(shipped, changed)).toEqual({
    statuses,
    envelopes: { query: { z: 3 }, payment: { x: 1 } },
  });
  expect(overlay(shipped, { statuses: { a: 422 } })).toEqual({ ...shipped, statuses });
  const other = overlay({ others: shipped.envelopes }, { others: changed.envelopes });
  expect(other).toEqual({ others: { query: { x: 1, y: 2, z: 3 }, payment: { x: 1 } } });
});

it.each([
  ['$.a.c', '$.a.c'],
  ['$.list[0].y', '$.list[1].y'],
  ['$.list[2].missing', '$.list[0].missing'],
  ['$.list[2]["odd name"].deeper', '$.list[0]["odd name"].deeper'],
  ['$.names[0]', '$.names[0]'],
  ['$.a.b', undefined],
  ['$.list[1].id', undefined],
  ['$.list[0].x', undefined],
])('the path %s in the merged fixture is %s in the changes', (path, expected) => {
  expect(pathInChanges(path, merged, changes)).toBe(expected);
});

it('an entry of the merged fixture is matched with an entry of the changes by a member that all entries have', () => {
  const fees = [
    { id: 1, channel: 'one', fee: 1 },
    { id: 2, channel: 'two', fee: 1 },
  ];
  const changed = { fees: [{ channel: 'two', fee: 'none' }] };
  expect(pathInChanges('$.fees[1].fee', overlay({ fees }, changed), changed)).toBe('$.fees[0].fee');
});

it('entries of one list with the same id are reported', () => {
  expect(findDuplicates({ list: [{ id: 1 }, { id: 2 }, { id: 1 }], names: ['a', 'a'] })).toMatchObject([
    { path: '$.list[2].id', received: '1 for the second time' },
  ]);
});
