import { loadSchema } from '../../../src/base/schema/load-schema.ts';

const membersIn = (name: string) => Object.keys(loadSchema(name)['properties'] as object);

describe('a view of the control API', () => {
  it.each([
    ['control/payment', 'records/payment', ['payerKey', 'formId', 'dueAt']],
    ['control/payout', 'records/payout', ['dueAt']],
    ['control/link', 'records/payment-link', []],
    ['control/recurring-payment', 'records/recurring-payment', ['dueAt']],
    ['control/payment-token', 'records/payment-token', []],
    ['control/delivery', 'records/delivery', ['secret', 'dueAt', 'pausedDueAt']],
    ['control/merchant', 'records/merchant', ['merchantApiKey', 'merchantKey']],
    ['control/endpoint', 'records/endpoint', ['previousSecrets']],
  ])('%s has all members of the record %s except internal, secret and renamed ones', (view, record, hidden) => {
    const shown = membersIn(view);
    expect(membersIn(record).filter((member) => !shown.includes(member))).toEqual(hidden);
  });
});
