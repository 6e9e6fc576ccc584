import { idIn } from '../../../src/store/memory/record-id.ts';

describe('the id in a record', () => {
  it.each([
    ['stands first', '{"id":"payment-12","state":"Paid"}', 'payment-12'],
    ['stands behind other members', '{"state":"Paid","nested":{"id":"no"},"id":"payment-12"}', 'payment-12'],
    ['is written with escapes', JSON.stringify({ id: 'a "b" \\ c', state: 'Paid' }), 'a "b" \\ c'],
    ['is not ASCII', '{"id":"payé-1","state":"Paid"}', 'payé-1'],
    ['is empty', '{"id":""}', ''],
  ])('is read where it %s', (_where, json, id) => {
    expect(idIn(Buffer.from(json))).toBe(id);
  });

  it('is no text that is cut off', () => {
    expect(idIn(Buffer.from('{"id":"payment-1'))).not.toBe('payment-1');
  });
});
