import { loadSchema } from '../../../src/base/schema/load-schema.ts';

const membersIn = (name: string) => Object.keys(loadSchema(name)['properties'] as object);

describe('what the control API shows of a record', () => {
  it.each([
    ['control/payment', 'records/payment', ['payerKey', 'formId', 'dueAt']],
    ['control/payout', 'records/payout', ['dueAt']],
    ['control/link', 'records/payment-link', []],
    ['control/recurring-payment', 'records/recurring-payment', ['dueAt']],
    ['control/payment-token', 'records/payment-token', []],
    ['control/delivery', 'records/delivery', ['secret', 'dueAt', 'pausedDueAt']],
    ['control/merchant', 'records/merchant', ['merchantApiKey', 'merchantKey']],
    ['control/endpoint', 'records/endpoint', ['previousSecrets']],
  ])('is by %s all of %s but its secrets and what has another name', (view, record, hidden) => {
    const shown = membersIn(view);
    expect(membersIn(record).filter((member) => !shown.includes(member))).toEqual(hidden);
  });
});
