import type { DeliveryView } from '../../../base/schema/generated/control.ts';
import { inWords } from '../../../base/text/words.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Headers, parseBody } from '../../components/message.tsx';
import { Code, type Fact, Facts, Id, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { Shape } from '../../components/state.tsx';
import { endpointName } from '../../format.ts';
import { pathOfRecord } from '../../path-of-record.ts';
import { RecordDetail } from '../../record/record-detail.tsx';
import { RecordHead } from '../../record/record-head.tsx';
import { attempt, showToast } from '../../toasts.ts';

export function DeliveryDetail({ id }: { id: string }) {
  return <RecordDetail id={id} collection="deliveries" load={fetchDelivery} show={showDelivery} />;
}

const fetchDelivery = (id: string) => ask<DeliveryView>('GET', `webhooks/deliveries/${encodeURIComponent(id)}`);

function showDelivery(delivery: DeliveryView) {
  const { id, type, state, attempts, body } = delivery;
  const replay = () =>
    attempt(async () => {
      await ask('POST', `webhooks/deliveries/${encodeURIComponent(id)}/replay`);
      showToast('Sent again.');
    });
  return (
    <>
      <RecordHead
        kind={`Notification · ${id}`}
        name={type}
        state={state}
        detail={endpointName(delivery)}
        why={delivery.sentence}
      >
        <div class="button-row">
          <button type="button" class="button" title="Resend this notification now" onClick={replay}>
            <Icon name="again" />
            Send again
          </button>
        </div>
      </RecordHead>
      <Section title={`Attempts (${attempts.length})`}>
        {attempts.length === 0 ? <p class="hint">None yet.</p> : null}
        <ol class="attempts">
          {attempts.map((each, index) => (
            <Attempt key={index} attempt={each} />
          ))}
        </ol>
      </Section>
      <Section title="Notification">
        <JsonView value={parseBody(body)} label="Notification" />
      </Section>
      <Section title="Facts">
        <Facts facts={factsOf(delivery)} />
      </Section>
    </>
  );
}

function Attempt({
  attempt: { at, status, ms, error, headers, response },
}: {
  attempt: DeliveryView['attempts'][number];
}) {
  return (
    <li>
      <p>
        <Shape tone={error === null ? 'good' : 'bad'} /> <b>{status ?? 'No answer'}</b>{' '}
        <span class="quiet">in {ms} ms, at </span>
        <Moment at={at} />
        {error === null || (status !== null && status >= 400) ? null : <span class="quiet"> · {error}</span>}
      </p>
      <Headers headers={headers} />
      {response === null || response === '' ? null : <Code text={response} label="Answer" isWrapped />}
    </li>
  );
}

function factsOf({ webhookId, subjectId, type, merchantId, replays, isTest, ...rest }: DeliveryView): Fact[] {
  const path = pathOfRecord(`${type.split('.')[0]}s`, subjectId);
  const { mode } = rest.webhookBehaviour;
  return [
    [
      'About',
      <a key="about" href={path}>
        {rest.subject?.reference ?? subjectId}
      </a>,
    ],
    ['Id', <Id key="id" id={rest.id} />],
    ['webhook-id', <Id key="webhook-id" id={webhookId} />],
    ['Merchant', merchantId === null ? null : <MerchantName key="merchant" id={merchantId} />],
    ['Behaviour', rest.behaviour],
    ['Broken on purpose', mode === 'normal' ? null : inWords(mode)],
    ['Forged', rest.forgery?.replaceAll('-', ' ')],
    ['Sent again', replays === 0 ? null : String(replays)],
    ['Test', isTest ? 'sample from the webhook tester' : null],
    ['Created', <Moment key="created" at={rest.createdAt} />],
  ];
}
