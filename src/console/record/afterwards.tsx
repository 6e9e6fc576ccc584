import { useState } from 'preact/hooks';
import type { AfterwardChoice, PaymentView } from '../../schema/control.ts';
import { ask } from '../api.ts';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { isolated } from '../format.ts';
import { attempt, say } from '../toasts.ts';

/** What may happen to a payment after it was paid: as a choice, as something that happened, and as something that is to come. */
export const AFTERWARDS: Readonly<Record<AfterwardChoice['kind'], { choice: string; done: string; coming: string }>> = {
  refund: { choice: 'Refund', done: 'Refunded', coming: 'Is refunded' },
  reversal: { choice: 'Reverse', done: 'Reversed', coming: 'Is reversed' },
  chargeback: { choice: 'Charge back', done: 'Charged back', coming: 'Is charged back' },
  'chargeback-reversed': {
    choice: 'Reverse the chargeback',
    done: 'Chargeback reversed',
    coming: 'Its chargeback is reversed',
  },
};

const KINDS = Object.keys(AFTERWARDS) as AfterwardChoice['kind'][];

/** Whether anything more can happen to a payment. */
export function hasAfterwards({ state, afterwards = [] }: PaymentView): boolean {
  return state === 'Paid' || afterwards.some(({ kind }) => kind === 'chargeback');
}

/** Lets something happen to a paid payment, for an amount or for all that is left. */
export function Afterwards({ payment: { id, payerReference, currency, left, amount } }: { payment: PaymentView }) {
  const [part, setPart] = useState('');
  const add = (kind: AfterwardChoice['kind']) =>
    attempt(async () => {
      const body: AfterwardChoice = { kind, ...(part === '' ? {} : { amount: toDecimal(part) }) };
      await ask('POST', `payments/${id}/afterwards`, { body });
      setPart('');
      say(`${isolated(payerReference)}: ${AFTERWARDS[kind].done.toLowerCase()}.`);
    });
  return (
    <fieldset class="settle afterwards" aria-label="After it was paid">
      <label>
        <span>Amount</span>
        <input
          inputMode="decimal"
          autocomplete="off"
          placeholder={`all of ${left ?? amount} ${currency}`}
          value={part}
          onInput={({ currentTarget }) => setPart(currentTarget.value.trim())}
          data-testid="afterwards-amount"
        />
      </label>
      <Menu
        name="What happens to it"
        button={
          <>
            Refund or charge back <Icon name="chevron" />
          </>
        }
        choices={KINDS.map((kind) => ({ key: kind, label: AFTERWARDS[kind].choice, run: () => void add(kind) }))}
      />
    </fieldset>
  );
}

/** 3 and 3.5 as the control API wants them; what is no amount is for it to refuse. */
function toDecimal(typed: string): string {
  const [whole = '', decimals = ''] = typed.split('.');
  return /^\d+(\.\d{0,2})?$/.test(typed) ? `${whole}.${decimals.padEnd(2, '0')}` : typed;
}
