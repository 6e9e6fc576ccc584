import { useState } from 'preact/hooks';
import { isCaught } from '../../../base/catch.ts';
import type { EndpointSecret, EndpointView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { Copy, MerchantName, Section } from '../../components/parts.tsx';
import { Shape, toneOf } from '../../components/state.tsx';
import { endpointName } from '../../format.ts';
import { attempt, showToast } from '../../toasts.ts';
import { catchHere, changeEndpoints, isSameEndpoint, newEndpoint, useEndpoints } from '../../webhook-endpoints.ts';

export function Endpoints() {
  const endpoints = useEndpoints();
  return (
    <Page screen="endpoints" title="Endpoints">
      <header class="record-head">
        <h1>Endpoints</h1>
        <p class="record-detail">The addresses of your servers to which the sandbox sends its notifications.</p>
      </header>
      <Section title="Where notifications go" level={2}>
        {endpoints.length === 0 ? <p class="hint">No endpoint yet. Add one below.</p> : null}
        <ul class="attempts">
          {endpoints.map((endpoint) => (
            <Endpoint key={endpoint.id} endpoint={endpoint} />
          ))}
        </ul>
      </Section>
      <Section title="Add an endpoint" level={2}>
        <AddEndpoint />
      </Section>
      {endpoints.some(isCaught) ? null : (
        <Section title="No server yet?" level={2}>
          <p class="hint">
            The sandbox can catch notifications itself. Each delivery shows what would have been sent to your server.
          </p>
          <div class="button-row">
            <button type="button" class="button" onClick={catchHere}>
              <Icon name="catch" />
              Catch here
            </button>
          </div>
        </Section>
      )}
    </Page>
  );
}

const SOURCES = { session: 'set in this session', merchant: 'set by a merchant', setting: '--webhook-url' } as const;

const STOPPED_WORDS = { halted: 'Halted', off: 'Switched off', paused: 'Paused' };

function Endpoint({ endpoint }: { endpoint: EndpointView }) {
  const { id, merchantId, types, source, queue } = endpoint;
  const [secret, setSecret] = useState<string>();
  const reveal = () =>
    attempt(async () => {
      setSecret((await ask<EndpointSecret>('POST', `webhooks/endpoints/${encodeURIComponent(id)}/secret`)).secret);
    });
  const resume = () => attempt(() => ask('POST', `webhooks/endpoints/${encodeURIComponent(id)}/resume`));
  const remove = () => attempt(() => changeEndpoints((all) => all.filter((each) => !isSameEndpoint(each, endpoint))));
  return (
    <li>
      <p>
        <b>{endpointName(endpoint)}</b> <span class="quiet">{SOURCES[source]}</span>
      </p>
      <p class="quiet">
        {merchantId === null ? 'All merchants' : <MerchantName id={merchantId} />} ·{' '}
        {types === null ? 'all notifications' : types.join(', ')}
      </p>
      {queue && queue.state !== 'open' ? (
        <p class="queue">
          <Shape tone={toneOf(queue.state)} /> {STOPPED_WORDS[queue.state]}{' '}
          <span class="quiet">
            {queue.state === 'paused'
              ? 'in this fork: notifications are held until you resume'
              : `after ${plural(queue.failures, 'failed attempt')} in a row`}
          </span>
        </p>
      ) : null}
      <div class="button-row">
        {queue && queue.state !== 'open' ? (
          <button type="button" class="button primary" onClick={resume}>
            Resume
          </button>
        ) : null}
        {secret === undefined ? (
          <button type="button" class="button" onClick={reveal}>
            <Icon name="eye" />
            Show the secret
          </button>
        ) : (
          <p class="address">
            <span data-testid="secret">{secret}</span>
            <Copy text={secret} label="Copy the secret" />
          </p>
        )}
        {source === 'session' ? (
          <button type="button" class="button danger" onClick={remove}>
            <Icon name="trash" />
            Remove
          </button>
        ) : null}
      </div>
    </li>
  );
}

function AddEndpoint() {
  const [url, setUrl] = useState('');
  const add = async (event: Event) => {
    event.preventDefault();
    if (await attempt(() => changeEndpoints((all) => [...all, newEndpoint(url)]))) {
      setUrl((current) => (current === url ? '' : current));
      showToast('Notifications are now sent there.');
    }
  };
  return (
    <form class="form" onSubmit={add}>
      <label>
        URL
        <input
          type="url"
          required
          placeholder="http://127.0.0.1:3000/webhooks"
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary">
        Add
      </button>
    </form>
  );
}
