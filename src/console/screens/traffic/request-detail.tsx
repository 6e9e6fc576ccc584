import { useState } from 'preact/hooks';
import type { PaymentView, RequestView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { capitalize, inWords } from '../../../base/text/words.ts';
import { pathOf } from '../../address.ts';
import { ask } from '../../api.ts';
import { hasMasks, withSecrets } from '../../call/credentials.ts';
import { curlOf } from '../../call/curl.ts';
import { Icon } from '../../components/icon.tsx';
import { type Fact, Facts, MerchantName, Moment, Section } from '../../components/parts.tsx';
import { State, toneOfStatus } from '../../components/state.tsx';
import { copyText } from '../../copy-text.ts';
import { pathOfRecord } from '../../path-of-record.ts';
import { BeThePayer } from '../../record/be-the-payer.tsx';
import { channelName } from '../../record/channel-names.ts';
import { RecordDetail } from '../../record/record-detail.tsx';
import { useFetched } from '../../record/use-fetched.ts';
import { attempt, showToast } from '../../toasts.ts';
import { Exchange } from './exchange.tsx';
import { Expectation } from './expectation.tsx';

export function RequestDetail({ id }: { id: string }) {
  return (
    <RecordDetail id={id} collection="requests" load={fetchRequest} show={(request) => <Call request={request} />} />
  );
}

const fetchRequest = (id: string) => ask<RequestView>('GET', `requests/${encodeURIComponent(id)}`);

function Call({ request }: { request: RequestView }) {
  const { id, method, path, operation, answer, milliseconds } = request;
  const status = answer?.status ?? null;
  return (
    <>
      <header class="record-head">
        <p class="record-kind">{id}</p>
        <div class="record-line">
          <h2 data-testid="record">{operation === null ? 'No such operation' : inWords(operation)}</h2>
          <span data-testid="record-state">
            <State state={status === null ? 'no answer' : String(status)} tone={toneOfStatus(status)} />
          </span>
        </div>
        <p class="record-detail">
          <code>
            {method} {path}
          </code>{' '}
          · {milliseconds} ms · <Moment at={request.at} />
        </p>
        <Actions request={request} />
      </header>
      <Why request={request} />
      <NextStep request={request} />
      <Exchange request={request} />
      <Section title="Created or changed">
        <ChangedRecords request={request} />
      </Section>
      <Section title="Facts">
        <Facts facts={factsOf(request)} />
      </Section>
    </>
  );
}

function Actions({ request }: { request: RequestView }) {
  const [isExpectationOpen, setExpectationOpen] = useState(false);
  const copy = () =>
    attempt(async () => {
      const query = new URLSearchParams(request.query as Record<string, string>).toString();
      const call = await withSecrets(
        {
          method: request.method,
          path: `${request.path}${query === '' ? '' : `?${query}`}`,
          headers: request.headers as Record<string, string>,
          body: request.body,
        },
        request.merchantId,
      );
      await copyText(curlOf(call));
      showToast(hasMasks(call) ? 'Copied as curl. Replace *** with your keys.' : 'Copied as curl, ready to run.');
    });
  return (
    <div class="button-row">
      <button type="button" class="button" onClick={copy}>
        <Icon name="copy" />
        Copy as curl
      </button>
      {request.operation === null ? null : (
        <a class="button" href={`${pathOf('try', request.operation)}?from=${request.id}`}>
          <Icon name="again" />
          Send again
        </a>
      )}
      <button type="button" class="button" onClick={() => setExpectationOpen(true)}>
        <Icon name="shield" />
        Show as a test
      </button>
      {isExpectationOpen ? <Expectation request={request} onClose={() => setExpectationOpen(false)} /> : null}
    </div>
  );
}

/** A link to act as the payer of the call's payment, while the payment waits for its payer. */
function NextStep({ request: { id, records } }: { request: RequestView }) {
  const paymentId = records.find(({ collection }) => collection === 'payments')?.id;
  const { value: payment } = useFetched(
    async () => (paymentId === undefined ? undefined : ask<PaymentView>('GET', `payments/${paymentId}`)),
    `next step of ${id}`,
    (subjectId) => subjectId === paymentId,
  );
  return payment?.state === 'Processing' ? (
    <p class="next-step">
      <BeThePayer payment={payment} />
      <span class="quiet">
        <a href={pathOf('payments', payment.id)}>{payment.payerReference}</a> is waiting for its payer.
      </span>
    </p>
  ) : null;
}

function Why({ request: { reason, fault, nearest, outcome, scenario, findings } }: { request: RequestView }) {
  if (reason === null && fault === null && nearest === null) {
    return (
      <p class="why good" data-testid="why">
        <b>Accepted.</b> {outcome === null ? 'No scenario applied.' : `Scenario ${outcome}.`}
        {findings.length === 0 ? null : ' See the warnings below.'}
        {scenario === null ? null : (
          <>
            {' '}
            <a href={pathOf('scenarios', scenario)}>See the scenario</a>
          </>
        )}
      </p>
    );
  }
  return (
    <div class={`why ${reason === null ? 'wait' : 'bad'}`} data-testid="why">
      <p>
        <b>{capitalize(outcome ?? 'Refused')}.</b>{' '}
        {findings.length === 0 ? reason : `${plural(findings.length, 'mistake')}, marked below.`}
      </p>
      {fault === null ? null : (
        <p>
          The scenario {scenario} made it fail: {fault}.
        </p>
      )}
      {nearest === null ? null : (
        <p>
          The nearest operation is <code>{nearest}</code>.
        </p>
      )}
    </div>
  );
}

function ChangedRecords({ request: { records, events } }: { request: RequestView }) {
  if (records.length === 0 && events.length === 0) {
    return <p class="hint">No records changed.</p>;
  }
  return (
    <ul class="made">
      {records.map(({ collection, id }) => {
        const path = pathOfRecord(collection, id);
        const types = events.filter(({ subjectId }) => subjectId === id).map(({ type }) => inWords(type).toLowerCase());
        return (
          <li key={`${collection} ${id}`}>
            {path === undefined ? id : <a href={path}>{id}</a>} <span class="quiet">{types.join(', ')}</span>
          </li>
        );
      })}
    </ul>
  );
}

function factsOf({ merchantId, environment, reference, scenario, channel, outcome }: RequestView): Fact[] {
  return [
    ['Merchant', merchantId === null ? null : <MerchantName key="merchant" id={merchantId} />],
    ['Environment', environment],
    ['Reference', reference],
    ['Channel', channel && channelName(channel)],
    ['Scenario', scenario === null ? null : <a href={pathOf('scenarios', scenario)}>{scenario}</a>],
    ['Outcome', outcome],
  ];
}
