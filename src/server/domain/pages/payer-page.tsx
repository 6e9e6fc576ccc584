import type { ComponentChildren, JSX } from 'preact';
import type { PaymentLink } from '../../../base/schema/generated/records.ts';
import type { LiveStream } from './live-stream.ts';
import { Icon } from './picture.tsx';
import { WORDS } from './words.ts';

export interface PayerPage {
  status?: number;
  title: string;
  /** The layout: one card (default), facts beside a form, the payer's bank, or a phone. */
  look?: 'card' | 'sides' | 'bank' | 'handset';
  content: ComponentChildren;
  /** Payment links: a form on this page may redirect to their merchants' addresses. */
  links?: readonly PaymentLink[];
  /** The stream that an open page follows; pages of outcomes follow none. */
  live?: LiveStream;
  /** Seconds after which a page without scripts reloads; only for pages without text fields. */
  refresh?: number;
}

export interface Redirect {
  location: string;
}

/** The fields of a form, or the query of a GET. */
export type PageForm = Readonly<Record<string, string>>;

/** The problem with a refused form: a sentence for the payer and, if a Refusal was thrown, its message for the developer. */
export interface FormProblem {
  text: string;
  reason?: string;
}

export function Problem({ text, reason }: { text?: string | undefined; reason?: string }) {
  return (
    <>
      {text === undefined ? null : (
        <p class="problem" role="alert">
          <Icon name="warning" />
          <span data-testid="problem">{text}</span>
        </p>
      )}
      {reason === undefined ? null : (
        <p class="quiet" data-testid="reason">
          {WORDS.forDeveloper(reason)}
        </p>
      )}
    </>
  );
}

type FieldProps = JSX.InputHTMLAttributes & {
  id: string;
  label: string;
  problem?: ComponentChildren;
  hint?: ComponentChildren;
};

/** A field, required by default, with its problem or a hint beneath it. */
export function Field({ id, label, problem, hint, ...attributes }: FieldProps) {
  const note = problem === undefined ? hint : problem;
  const noteId = `${id}-${problem === undefined ? 'hint' : 'problem'}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={id}
        required
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : noteId}
        {...attributes}
      />
      {note === undefined ? null : (
        <p class={problem === undefined ? 'hint' : 'field-problem'} id={noteId}>
          {note}
        </p>
      )}
    </div>
  );
}

/** A hidden field that proves which page a form is from. */
export function Token({ value }: { value: string }) {
  return <input type="hidden" name="formToken" value={value} />;
}

export function ReturnLink({ address, id }: { address: string; id?: string }) {
  return (
    <a class="button" href={address} data-testid={id === undefined ? 'return' : `return-${id}`}>
      {WORDS.returnToMerchant}
    </a>
  );
}

export function messagePage(status: number, title: string, text: string, more: ComponentChildren = null): PayerPage {
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
