import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { Payment, PaymentLink } from '../../base/schema/records.ts';
import type { Session } from '../../sessions/session.ts';
import { STYLES } from './files.ts';
import { formTargets } from './headers.ts';
import type { Live } from './live.ts';
import { pageOf } from './paths.ts';
import { Icon, Mark } from './picture.tsx';

/** A page that a payer sees: its title and what stands in it. */
export interface Page {
  status?: number;
  title: string;
  /** How the content is laid out: one card, facts beside a form, the payer's bank, or a handset. */
  look?: 'card' | 'sides' | 'bank' | 'handset';
  content: ComponentChildren;
  /** The links whose merchants a form on this page may lead back to. */
  links?: readonly PaymentLink[];
  /** What an open page follows; absent where nothing can change any more. */
  live?: Live;
  /** Seconds after which a page without scripts asks again; only for pages with nothing to type. */
  refresh?: number;
}

/** A redirect after a form was taken. */
export interface Redirect {
  location: string;
}

/** Every form's fields, or a GET's query. */
export type Form = Readonly<Record<string, string>>;

/** The whole document. Everything in it is escaped by the renderer. `path` is the page's own, from /pay on. */
export function documentOf({ title, look = 'card', content, links = [], live, refresh }: Page, path: string): string {
  // Relative, since a page that refuses a session has no base address to begin from.
  const assets = `${'../'.repeat(Math.max(0, path.split('/').length - 3))}assets`;
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
        {STYLES.map((name) => (
          <link rel="stylesheet" href={`${assets}/${name}`} />
        ))}
        <link rel="icon" href={`${assets}/icon.svg`} />
        <script src={`${assets}/payer.js`} defer />
      </head>
      <body>
        <header class="sandbox" data-testid="sandbox-note">
          <Mark />
          <span>Sandbox: this is a rehearsal, no money moves.</span>
        </header>
        <main
          class={`look-${look}`}
          data-versions={live?.address}
          data-version={live?.version}
          data-form-targets={formTargets(links).join(' ')}
        >
          {content}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${render(page)}`;
}

export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      <Icon name="warning" />
      <span data-testid="problem">{text}</span>
    </p>
  );
}

/** A hidden field that proves where a form came from. */
export function Token({ value }: { value: string }) {
  return <input type="hidden" name="formToken" value={value} />;
}

/** Leads a payer back to the merchant's own site. */
export function ReturnLink({ address, id }: { address: string; id?: string }) {
  return (
    <a class="button" href={address} data-testid={id === undefined ? 'return' : `return-${id}`}>
      Return to merchant
    </a>
  );
}

/** A page that says in a sentence or two why there is nothing to do on it. */
export function messagePage(status: number, title: string, text: string, more: ComponentChildren = null): Page {
  return {
    status,
    title,
    content: (
      <div class="card">
        <h1 data-testid="message-title">{title}</h1>
        <p class="quiet" data-testid="message">
          {text}
        </p>
        {more}
      </div>
    ),
  };
}

const ELSEWHERE = {
  'qr-code': ['Approve this payment in your QR wallet.', 'Open the wallet'],
  'pin-prompt': ['Confirm this payment on your phone, with your PIN.', 'Open the phone'],
  redirect: ['This is a card payment. Make it on the card checkout.', 'Open the card checkout'],
} as const;

/** What another flow's payment is answered with: where its own page is. */
export function wrongPage(session: Session, payment: Payment): Page {
  const flow = session.fixtures.channel(payment.channel)?.flow ?? 'redirect';
  const [text, label] = ELSEWHERE[flow];
  return messagePage(
    404,
    'Nothing to pay here',
    text,
    <a class="button" href={pageOf(session, payment)} data-testid="instead">
      {label}
    </a>,
  );
}
