import type { SettlementView } from '../../../base/schema/generated/control.ts';
import { Section } from '../../components/parts.tsx';
import { Downloads } from './downloads.tsx';

const FILES = [
  ['camt.053', 'statement?format=camt.053'],
  ['MT940', 'statement?format=mt940'],
  ['CSV', 'statement?format=csv'],
  ['JSON', 'statement'],
] as const;
const ANSWER_KEY = ['Answer key', 'answer-key'] as const;

export function BankStatement({ settlement: { id, state, valueDate, mismatches } }: { settlement: SettlementView }) {
  const hasBankMistakes = mismatches?.bank !== undefined && mismatches.bank.length > 0;
  if (state === 'InTransit') {
    return (
      <Section title="Bank statement">
        <p class="hint">The bank books the transfer on {valueDate}.</p>
      </Section>
    );
  }
  return state === 'Paid' || state === 'Returned' ? (
    <Section
      title="Bank statement"
      extra={<Downloads id={id} files={hasBankMistakes ? [...FILES, ANSWER_KEY] : FILES} />}
    >
      <p class="hint">
        The statement of the day on which the bank booked the transfer{hasBankMistakes ? ', with mistakes' : ''}.
      </p>
    </Section>
  ) : null;
}
