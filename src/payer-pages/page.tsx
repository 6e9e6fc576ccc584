import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { toDecimalText } from '../money.ts';
import type { Payment } from '../schema/records.ts';
import type { Session } from '../sessions/session.ts';

/** A page of the payer's door: its title and what stands in it. */
export interface Page {
  status?: number;
  title: string;
  content: ComponentChildren;
  /** Seconds after which a page without scripts asks again. */
  refresh?: number;
}

/** A redirect after a form was taken. */
export interface Redirect {
  location: string;
}

/** The whole document. Everything in it is escaped by the renderer. */
export function documentOf(session: Session, { title, content, refresh }: Page): string {
  const { base } = session.addresses;
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh === undefined ? null : (
          <noscript>
            <meta httpEquiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        <title>{`${title} – sandbox`}</title>
        <link rel="stylesheet" href={`${base}/pay/assets/payer.css`} />
        <link rel="icon" href="data:," />
        <script src={`${base}/pay/assets/payer.js`} defer />
      </head>
      <body>
        <header class="sandbox" data-testid="sandbox-note">
          Sandbox: this is a rehearsal, no money moves.
        </header>
        <main>{content}</main>
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}

/** What a payment is about: merchant, description, amount, and how long it is open. */
export function Summary({ payment, merchant, session }: { payment: Payment; merchant: string; session: Session }) {
  return (
    <header>
      <p class="merchant" data-testid="merchant">
        {merchant}
      </p>
      <h1 data-testid="description">{payment.description === '' ? 'Payment' : payment.description}</h1>
      <p class="amount" data-testid="amount">
        {toDecimalText(payment.amount)} {payment.currency}
      </p>
      {payment.state === 'Processing' && payment.expiresAt !== null ? (
        <Countdown expiresAt={payment.expiresAt} session={session} />
      ) : null}
    </header>
  );
}

function Countdown({ expiresAt, session }: { expiresAt: number; session: Session }) {
  const seconds = Math.max(0, Math.ceil((expiresAt - session.clock.now()) / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <p class="quiet">
      Expires in{' '}
      <span data-testid="countdown" data-remaining={seconds} data-running={String(session.clock.state.mode === 'real')}>
        {text}
      </span>
    </p>
  );
}

const OUTCOMES = {
  Processing: ['Waiting for the payer', ''],
  Paid: ['Paid. Thank you.', 'good'],
  Failed: ['The payment failed.', 'bad'],
  Cancelled: ['The payment was cancelled.', 'bad'],
  Expired: ['The payment has expired.', 'bad'],
} as const;

/** How a payment ended, for pages that have nowhere to send the payer on to. */
export function Result({ payment, merchant, session }: { payment: Payment; merchant: string; session: Session }) {
  const [words, tone] = OUTCOMES[payment.state];
  const last = payment.history.at(-1);
  return (
    <div class="card">
      <Summary payment={payment} merchant={merchant} session={session} />
      <p class={`outcome ${tone}`} role="status" data-testid="outcome" data-state={payment.state}>
        {words}
      </p>
      {last?.description ? (
        <p class="quiet" data-testid="reason">
          {last.description} (<code>{last.code}</code>)
        </p>
      ) : null}
      <p class="quiet">
        Reference <code data-testid="reference">{payment.payerReference}</code>
      </p>
    </div>
  );
}

export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert" data-testid="problem">
      {text}
    </p>
  );
}

/** A hidden field that proves where a form came from. */
export function Token({ value }: { value: string }) {
  return <input type="hidden" name="formToken" value={value} />;
}

/** A page that says why there is nothing to pay. */
export function messagePage(status: number, title: string, text: string): Page {
  return {
    status,
    title,
    content: (
      <div class="card">
        <h1 data-testid="message-title">{title}</h1>
        <p class="quiet" data-testid="message">
          {text}
        </p>
      </div>
    ),
  };
}
