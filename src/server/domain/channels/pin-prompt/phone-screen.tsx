import { toDecimalText } from '../../../../base/money.ts';
import type { Payment } from '../../../../base/schema/generated/records.ts';
import { groupDigits } from '../../../../base/text/group-digits.ts';
import type { Session } from '../../../sessions/session.ts';
import { formToken } from '../../pages/form-token.ts';
import { timeOfDay } from '../../pages/handset.tsx';
import type { PagePayment } from '../../pages/page-payment.ts';
import { pathsOf } from '../../pages/paths.ts';
import { Field, ReturnLink, Token } from '../../pages/payer-page.tsx';
import { Merchant, Money } from '../../pages/payment-summary.tsx';
import { Icon } from '../../pages/picture.tsx';
import { isPaidByOther, returnAddress } from '../../pages/return-address.ts';
import { WORDS } from '../../pages/words.ts';
import { costToPayer } from '../../payments/fees.ts';
import { paymentStatus } from '../../payments/payment-status.ts';
import { phonePath } from './paths.ts';

/** Messages about the outcomes of the latest payments, newest first. */
export function Messages({ payments, session }: { payments: readonly PagePayment[]; session: Session }) {
  return (
    <section class="messages" aria-labelledby="messages">
      <h2 id="messages">
        <Icon name="message" /> {WORDS.messages}
      </h2>
      <ul>
        {payments.map((each) => (
          <Message {...each} session={session} />
        ))}
      </ul>
    </section>
  );
}

function Message({ payment, merchant, link, session }: PagePayment & { session: Session }) {
  const address = returnAddress(session, link, payment);
  const lastStep = payment.history.at(-1);
  const { amount, currency, payerReference } = payment;
  return (
    <li data-testid={`message-${payment.id}`} data-state={payment.state}>
      <p class="bubble">
        {groupDigits(toDecimalText(amount))} {currency} {WORDS.paidTo} <bdi>{merchant}</bdi>,{' '}
        <bdi>{payerReference}</bdi>:{' '}
        <strong>{isPaidByOther(link, payment) ? WORDS.linkPaid : outcomeOf(session, payment)}</strong>
      </p>
      {lastStep ? <p class="when">{timeOfDay(lastStep.at)}</p> : null}
      {address === undefined ? null : <ReturnLink address={address} id={payment.id} />}
    </li>
  );
}

function outcomeOf(session: Session, payment: Payment): string {
  const { status, description } = paymentStatus(payment, session.fixtures);
  return description ? `${status} (${description})` : status;
}

interface PromptProps extends PagePayment {
  session: Session;
  mobile: string;
  /** Whether its keypad is shown: only the first prompt of a phone has one. */
  hasKeypad: boolean;
  /** Whether this page answers a wrong PIN for this payment. */
  isWrong: boolean;
}

/** A notification that asks for the PIN. */
export function Prompt({ payment, merchant, session, mobile, hasKeypad, isWrong }: PromptProps) {
  const { id, description, payerReference, currency } = payment;
  return (
    <li class="prompt" data-testid={`prompt-${id}`}>
      <div class="from">
        <Merchant name={merchant} />
        <p class="when">{timeOfDay(payment.createdAt)}</p>
      </div>
      <p class="amount">
        <Money amount={costToPayer(payment)} currency={currency} />
      </p>
      <p class="quiet">
        <bdi>{description}</bdi> · <code>{payerReference}</code>
      </p>
      <form method="post" action={pathsOf(session).to(phonePath(mobile))}>
        <Token value={formToken(session, id, 'pin')} />
        <input type="hidden" name="payment" value={id} />
        <PinField payment={payment} session={session} isWrong={isWrong} />
        {hasKeypad ? <Keypad field={`pin-${id}`} /> : null}
        <div class="decide">
          <button type="submit" name="action" value="confirm" data-testid={`confirm-${id}`}>
            {WORDS.confirm}
          </button>
          <button type="submit" name="action" value="cancel" class="second" formNoValidate data-testid={`cancel-${id}`}>
            {WORDS.cancel}
          </button>
        </div>
      </form>
    </li>
  );
}

/** A wrong PIN is reported here, because a message at the top would move the buttons out of a small window. */
function PinField({ payment, session, isWrong }: Pick<PromptProps, 'payment' | 'session' | 'isWrong'>) {
  const { pin, tries } = session.fixtures.phone;
  const field = `pin-${payment.id}`;
  const triesLeft = tries - payment.failedTries;
  return (
    <Field
      class="pin"
      id={field}
      name="pin"
      label={WORDS.pin}
      type="password"
      inputMode="numeric"
      autocomplete="off"
      maxLength={8}
      data-testid={field}
      problem={
        isWrong ? (
          <span role="alert" data-testid="problem">
            {WORDS.wrongPin(pin, triesLeft)}
          </span>
        ) : undefined
      }
      hint={WORDS.pinHint(pin, triesLeft)}
    />
  );
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', 'Delete'] as const;

/** On-screen keys for a field. They need scripts; a keyboard works without them. */
function Keypad({ field }: { field: string }) {
  return (
    <div class="keypad">
      {KEYS.map((key) => (
        <button
          type="button"
          data-key={key}
          data-types-into={field}
          aria-label={key === 'Delete' ? WORDS.deleteKey : key}
          data-testid={`key-${field}-${key}`}
        >
          {key === 'Delete' ? <Icon name="delete" /> : key}
        </button>
      ))}
    </div>
  );
}
