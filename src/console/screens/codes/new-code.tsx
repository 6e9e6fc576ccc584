import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { toDecimalText, toMinorUnits } from '../../../base/money.ts';
import type { ShopCodeOrder, ShopCodeView } from '../../../base/schema/generated/control.ts';
import { pathOf } from '../../address.ts';
import { ask } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { ENVIRONMENTS, SelectField } from '../../components/select-field.tsx';
import { isolate } from '../../format.ts';
import { merchants } from '../../session-facts.ts';
import { attempt, showToast, trackScreen } from '../../toasts.ts';

export function NewCode() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)} data-testid="new-code">
        <Icon name="plus" />
        New code
      </button>
      {isOpen ? (
        <Dialog title="Create a shop code" onClose={() => setOpen(false)}>
          <CodeForm onCreated={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  );
}

type FormValues = Record<
  'merchantId' | 'reference' | 'amount' | 'currency' | 'description' | 'environment' | 'content',
  string
>;

const EMPTY_FORM: Omit<FormValues, 'merchantId'> = {
  reference: '',
  amount: '',
  currency: 'USD',
  description: '',
  environment: 'sandbox',
  content: '',
};

const CONTENTS = [
  ['', 'as set in the fixtures'],
  ['address', 'address'],
  ['emv', 'EMVCo payload'],
] as const;

function CodeForm({ onCreated }: { onCreated(): void }) {
  const { route } = useLocation();
  const [values, setValues] = useState<FormValues>({ ...EMPTY_FORM, merchantId: merchants.value[0]?.id ?? '' });
  const field = (name: keyof FormValues) => ({
    name,
    value: values[name],
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setValues({ ...values, [name]: currentTarget.value }),
  });
  const create = (event: Event) => {
    event.preventDefault();
    const isSameScreen = trackScreen();
    return attempt(async () => {
      const { id, reference } = await ask<ShopCodeView>('POST', 'shop-codes', { body: orderOf(values) });
      onCreated();
      showToast(`Shop code ${isolate(reference)} was created.`);
      if (isSameScreen()) {
        route(pathOf('codes', id));
      }
    });
  };
  return (
    <form class="form" onSubmit={create}>
      <SelectField
        label="Merchant"
        options={merchants.value.map(({ id, name }) => [id, `${name} (${id})`])}
        {...field('merchantId')}
      />
      <label>
        Reference
        <input required maxLength={100} placeholder="TILL-1" {...field('reference')} />
        <small>References of its payments start with it.</small>
      </label>
      <div class="form-pair">
        <label>
          Amount
          <input
            inputMode="decimal"
            pattern="\d{1,12}(\.\d{1,2})?"
            title="A number with at most two decimals, such as 2.50"
            autocomplete="off"
            placeholder="The payer enters it"
            {...field('amount')}
          />
        </label>
        <label>
          Currency
          <input required maxLength={20} {...field('currency')} />
        </label>
      </div>
      <label>
        Description
        <input maxLength={500} placeholder="Coffee" {...field('description')} />
      </label>
      <div class="form-pair">
        <SelectField label="Content" options={CONTENTS} {...field('content')} />
        <SelectField label="Environment" options={ENVIRONMENTS} {...field('environment')} />
      </div>
      <button type="submit" class="button primary">
        Create
      </button>
    </form>
  );
}

/** An amount of 2.5 becomes 2.50; an empty amount or content is omitted. */
function orderOf({ amount, content, environment, ...texts }: FormValues): ShopCodeOrder {
  return {
    ...texts,
    environment: environment as 'sandbox' | 'production',
    ...(amount === '' ? {} : { amount: toDecimalText(toMinorUnits(amount)) }),
    ...(content === '' ? {} : { content: content as 'address' | 'emv' }),
  };
}
