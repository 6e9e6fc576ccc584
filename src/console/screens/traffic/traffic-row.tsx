import type { DeliveryView, EventView, RequestView } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { inWords } from '../../../base/text/words.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { joinTexts } from '../../components/parts.tsx';
import { StateWord, type Tone, toneOf, toneOfStatus } from '../../components/state.tsx';
import { endpointName } from '../../format.ts';
import type { RowContent } from '../../list/rows.tsx';
import { SubjectAmount } from '../../record/money.tsx';
import { toneOfEvent } from './event-tone.ts';

export type TrafficItem = RequestView | DeliveryView | EventView;

export function timeOf(item: TrafficItem): string {
  return 'createdAt' in item ? item.createdAt : item.at;
}

/** A row that also names the endpoint of a delivery, for sessions with several endpoints. */
export const rowWithEndpoint = (item: TrafficItem) => trafficRow(item, true);

export function trafficRow(item: TrafficItem, isEndpointShown = false): RowContent {
  if ('method' in item) {
    return requestRow(item);
  }
  return 'attempts' in item ? deliveryRow(item, isEndpointShown) : eventRow(item);
}

function KindIcon({ icon, tone }: { icon: IconName; tone: Tone }) {
  return (
    <span class={`kind-icon ${tone}`}>
      <Icon name={icon} />
    </span>
  );
}

function requestRow({ answer, findings, operation, method, path, reference, milliseconds, at }: RequestView) {
  const status = answer?.status ?? null;
  const words = [findings.length === 0 ? null : plural(findings.length, 'finding'), `${milliseconds} ms`];
  return {
    shape: <KindIcon icon="request" tone={toneOfStatus(status)} />,
    title: operation === null ? `${method} ${path}` : inWords(operation),
    detail: joinTexts(['Request', reference, ...words], ' · '),
    value: status ?? 'no answer',
    at,
  };
}

function deliveryRow(delivery: DeliveryView, isEndpointShown: boolean) {
  const { state, type, forgery, subject, subjectId, attempts, createdAt } = delivery;
  const forged = forgery ? `, forged: ${forgery.replaceAll('-', ' ')}` : '';
  return {
    shape: <KindIcon icon="deliveries" tone={toneOf(state)} />,
    title: `Notification ${type}${forged}`,
    detail: (
      <>
        Delivery · <StateWord state={state} />
        {attempts.length === 0 ? null : ` ${attempts.at(-1)?.status ?? 'no answer'}`} ·{' '}
        {joinTexts([subject?.reference ?? subjectId, isEndpointShown ? endpointName(delivery) : null], ' · ')}
      </>
    ),
    value: <SubjectAmount subject={subject} />,
    at: createdAt,
  };
}

function eventRow({ type, subject, subjectId, requestId, at }: EventView) {
  return {
    shape: <KindIcon icon="events" tone={toneOfEvent(type)} />,
    title: inWords(type),
    detail: joinTexts(['Event', subject?.reference ?? subjectId, requestId === null ? null : `by ${requestId}`], ' · '),
    value: <SubjectAmount subject={subject} />,
    at,
  };
}
