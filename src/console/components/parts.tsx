import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { copyText } from '../copy-text.ts';
import { momentParts, zoneName } from '../format.ts';
import { zone } from '../preferences.ts';
import { merchants, now } from '../session-facts.ts';
import { attempt, showToast } from '../toasts.ts';
import { Icon } from './icon.tsx';

/** An instant of the session's clock. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${at}, UTC by the session's clock`}>
      {momentParts(at, now.value, zone.value).map((part, index) => (
        <>
          {index === 0 ? '' : ' '}
          <span key={part}>{part}</span>
        </>
      ))}
    </time>
  );
}

export function ZoneName() {
  return <span class="quiet">{zoneName(now.value, zone.value)}</span>;
}

export function Id({ id }: { id: string }) {
  return (
    <span class="id">
      <code>{id}</code>
      <Copy text={id} label={`Copy ${id}`} />
    </span>
  );
}

export function MerchantName({ id }: { id: string }) {
  const name = merchants.value.find((merchant) => merchant.id === id)?.name;
  return (
    <>
      {name === undefined ? null : <bdi>{name}</bdi>} <span class="merchant-id">{id}</span>
    </>
  );
}

export function Copy({ text, label = 'Copy', hasLabel = false }: { text: string; label?: string; hasLabel?: boolean }) {
  const [isDone, setDone] = useState(false);
  const copy = () =>
    attempt(async () => {
      await copyText(text);
      setDone(true);
      showToast('Copied.');
      setTimeout(() => setDone(false), 1500);
    });
  return (
    <button
      type="button"
      class={hasLabel ? 'button' : 'bare'}
      aria-label={hasLabel ? undefined : label}
      title={label}
      onClick={copy}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
      {hasLabel ? label : null}
    </button>
  );
}

/** Texts with a separator, isolated so that none changes the direction of its neighbours. */
export function joinTexts(texts: readonly (string | null)[], separator = ', '): ComponentChildren {
  return texts
    .filter((text) => text !== null)
    .map((text, index) => (
      <>
        {index === 0 ? '' : separator}
        <bdi key={text}>{text}</bdi>
      </>
    ));
}

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts }: { facts: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProps {
  title: string;
  children: ComponentChildren;
  extra?: ComponentChildren;
  level?: 2 | 3;
}

export function Section({ title, children, extra, level = 3 }: SectionProps) {
  const Title = `h${level}` as const;
  return (
    <section class="section">
      <header>
        <Title>{title}</Title>
        {extra}
      </header>
      {children}
    </section>
  );
}

/** Attributes of an area that scrolls, which must be reachable by keyboard. */
export const KEYBOARD_SCROLLABLE = { tabIndex: 0 } as const;

export function Code({ text, label, isWrapped = false }: { text: string; label: string; isWrapped?: boolean }) {
  return (
    <div class={`code ${isWrapped ? 'wrapped' : ''}`}>
      <section class="code-text" aria-label={label} {...KEYBOARD_SCROLLABLE}>
        <pre>{text}</pre>
      </section>
      <Copy text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Shown in place of data that is being fetched, or could not be fetched. */
export function LoadingOrProblem({ problem }: { problem: string | undefined }) {
  return problem === undefined ? (
    <div aria-busy="true" />
  ) : (
    <Empty title="This cannot be shown">{<p>{problem}</p>}</Empty>
  );
}

/** A duration of one part as people type it: PT3S → 3s. Others stay as they are. */
export function shortDuration(duration: string): string {
  return /^P(?:T\d+[HMS]|\d+D)$/.test(duration) ? duration.replace(/PT?/, '').toLowerCase() : duration;
}
