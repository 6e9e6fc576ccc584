import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { RequestView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { ask } from '../../api.ts';
import { withSecrets } from '../../call/credentials.ts';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/parts.tsx';
import { ENVIRONMENTS, SelectField } from '../../components/select-field.tsx';
import { recall, remember } from '../../preferences.ts';
import { channelName } from '../../record/channel-names.ts';
import { merchants } from '../../session-facts.ts';
import { attempt, showToast, trackScreen } from '../../toasts.ts';
import type { MerchantOperation } from './fetch-operations.ts';
import { type ComposerDraft, merchantOf, sendDraft } from './send-draft.ts';

/** The example that comes first, if the operation has it. */
const DEFAULT_EXAMPLE = 'qr-wallet';

interface ComposerProps {
  operation: MerchantOperation;
  /** The id of a call in the log that is edited and sent again. */
  requestId: string | undefined;
}

/** A call that can be edited and sent; then its log entry is shown. */
export function Composer({ operation, requestId }: ComposerProps) {
  const { route } = useLocation();
  const [draft, setDraft] = useState<ComposerDraft>(() => initialDraft(operation));
  const [isBusy, setBusy] = useState(requestId !== undefined);
  const change = (part: Partial<ComposerDraft>) => setDraft((before) => ({ ...before, ...part }));
  useEffect(() => {
    if (requestId !== undefined) {
      void attempt(async () => change(await fetchDraft(requestId))).then(() => setBusy(false));
    }
  }, [requestId]);
  const submit = async () => {
    setBusy(true);
    const isSameScreen = trackScreen();
    await attempt(async () => {
      const id = await sendDraft(operation, draft);
      remember(`body of ${operation.name}`, draft.body);
      if (isSameScreen()) {
        route(pathOf('traffic', id));
      } else {
        showToast(`Sent as ${id}.`, { label: 'Show it', run: () => route(pathOf('traffic', id)) });
      }
    });
    setBusy(false);
  };
  // In the layout phase, so that the last typed character is sent, too.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isBusy) {
        event.preventDefault();
        void submit();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  return (
    <form
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <header class="record-head">
        <p class="record-kind">
          {operation.method} <code>{operation.paths[draft.environment]}</code>
        </p>
        <h2 data-testid="record">{operation.summary}</h2>
        <div class="button-row">
          <button type="submit" class="button primary" disabled={isBusy} data-testid="send">
            <Icon name="send" />
            Send <kbd>Ctrl Enter</kbd>
          </button>
          <EnvironmentField draft={draft} onChange={change} />
        </div>
      </header>
      <Examples operation={operation} draft={draft} onChange={change} />
      {operation.needsToken || operation.parameters.length > 0 ? (
        <Section title="Parameters">
          <Parameters operation={operation} draft={draft} onChange={change} />
        </Section>
      ) : null}
      {draft.body === '' && Object.keys(operation.examples).length === 0 ? null : (
        <Section title={operation.isForm ? 'Form' : 'Body'}>
          <textarea
            class="editor"
            rows={Math.min(28, draft.body.split('\n').length + 1)}
            aria-label="Body"
            spellcheck={false}
            value={draft.body}
            onInput={({ currentTarget }) => change({ body: currentTarget.value })}
          />
        </Section>
      )}
    </form>
  );
}

interface PartProps {
  operation: MerchantOperation;
  draft: ComposerDraft;
  onChange(part: Partial<ComposerDraft>): void;
}

function EnvironmentField({ draft, onChange }: Omit<PartProps, 'operation'>) {
  return (
    <SelectField
      label="Environment"
      labelClass="choice-field"
      class="field"
      value={draft.environment}
      options={ENVIRONMENTS}
      onChange={({ currentTarget }) => onChange({ environment: currentTarget.value as ComposerDraft['environment'] })}
    />
  );
}

function Examples({ operation: { name, examples }, draft, onChange }: PartProps) {
  const all = Object.entries(examples).sort(
    ([one], [other]) => Number(other === DEFAULT_EXAMPLE) - Number(one === DEFAULT_EXAMPLE),
  );
  const last = recall(`body of ${name}`);
  if (all.length < 2 && last === undefined) {
    return null;
  }
  return (
    <fieldset class="examples" aria-label="Examples">
      {all.map(([example, value]) => (
        <button
          type="button"
          class="chip"
          key={example}
          aria-pressed={draft.body === textOf(value)}
          onClick={() => onChange({ body: textOf(value) })}
        >
          {channelName(example) === example ? inWords(example) : channelName(example)}
        </button>
      ))}
      {last === undefined ? null : (
        <button type="button" class="chip" aria-pressed={draft.body === last} onClick={() => onChange({ body: last })}>
          Last sent
        </button>
      )}
    </fieldset>
  );
}

function Parameters({ operation, draft, onChange }: PartProps) {
  return (
    <div class="form in-line">
      {operation.needsToken ? (
        <SelectField
          label="Token of merchant"
          value={merchantOf(draft)}
          options={merchants.value.map(({ id, name }) => [id, `${id}, ${name}`])}
          onChange={({ currentTarget }) => onChange({ merchantId: currentTarget.value })}
        />
      ) : null}
      {operation.parameters.map(({ name, description, isRequired }) => (
        <label key={name}>
          {name}
          <input
            required={isRequired}
            value={draft.parameters[name] ?? ''}
            onInput={({ currentTarget }) =>
              onChange({ parameters: { ...draft.parameters, [name]: currentTarget.value } })
            }
          />
          <small>{description}</small>
        </label>
      ))}
    </div>
  );
}

function initialDraft({ name, parameters, examples }: MerchantOperation): ComposerDraft {
  const example = examples[DEFAULT_EXAMPLE] ?? Object.values(examples)[0];
  return {
    environment: 'sandbox',
    parameters: Object.fromEntries(parameters.map((each) => [each.name, each.example])),
    body: recall(`body of ${name}`) ?? (example === undefined ? '' : textOf(example)),
    merchantId: undefined,
  };
}

/** The draft of a logged call, with its masked secrets filled in. A path parameter is called `id` and ends the path. */
async function fetchDraft(requestId: string): Promise<Partial<ComposerDraft>> {
  const request = await ask<RequestView>('GET', `requests/${encodeURIComponent(requestId)}`);
  const { method, path, query, headers, body, merchantId, environment } = request;
  const call = await withSecrets({ method, path, headers: headers as Record<string, string>, body }, merchantId);
  const id = /\/(\w+)$/.exec(path)?.[1] ?? '';
  return {
    environment: environment ?? 'sandbox',
    parameters: { id, ...(query as Record<string, string>) },
    body: call.body === undefined || call.body === null ? '' : textOf(call.body),
    ...(merchantId === null ? {} : { merchantId }),
  };
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}
