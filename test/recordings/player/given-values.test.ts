import { maskedIn, withValues } from '../../../src/recordings/player/given-values.ts';
import { callAt } from '../exchanges.ts';
import { BEGIN } from './tape.ts';

test('values are put in by name wherever a call has it; numbers stay numbers, and what was empty stays empty', () => {
  const call = callAt(BEGIN, {
    target: '/pay/***0123abcd?token=***0123abcd&other=1&flag',
    headers: [{ name: 'X-Api-Key', value: '***0123abcd' }],
    body: { json: { token: ['***0123abcd'], deep: { accountId: 7, payerName: null, Token: '', amount: 5 } } },
  });
  const values = { token: 'a b', 'x-api-key': 'key', accountId: '8', payerName: 'Zoe', amount: 'much' };
  expect(withValues(call, values)).toEqual({
    method: 'GET',
    target: '/pay/***0123abcd?token=a%20b&other=1&flag',
    headers: [{ name: 'X-Api-Key', value: 'key' }],
    body: { json: { token: ['a b'], deep: { accountId: 8, payerName: null, Token: '', amount: 5 } } },
  });
});

test('what is still masked in a call is named, wherever it is', () => {
  const form = [{ name: 'merchantKey', value: '***0123abcd' }];
  const call = callAt(BEGIN, {
    target: '/pay/***0123abcd?token=%2A%2A%2A0123abcd',
    headers: [{ name: 'Authorization', value: 'Bearer ***0123abcd' }],
    body: { form },
  });
  expect(maskedIn(call)).toEqual(['(path)', 'token', 'Authorization', 'merchantKey']);
  expect(maskedIn(callAt(BEGIN, { body: { json: { list: [{ pin: 'x ***0123abcd' }, '***0123abcd'] } } }))).toEqual([
    'pin',
    'list',
  ]);
  expect(maskedIn(callAt(BEGIN, { body: { text: 'pin=***0123abcd' } }))).toEqual(['(body)']);
});
