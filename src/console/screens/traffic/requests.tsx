import type { CallNotice } from '../../../base/schema/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { inWords } from '../../../base/text/words.ts';
import { ask } from '../../api.ts';
import { Icon } from '../../components/icon.tsx';
import { Empty, joinTexts } from '../../components/parts.tsx';
import { Shape, toneOfStatus } from '../../components/state.tsx';
import { type ListDefinition, ListScreen } from '../../list/list-screen.tsx';
import { onNotice } from '../../stream.ts';
import { attempt, showToast } from '../../toasts.ts';
import { RefusedCalls } from '../overview/refused-calls.tsx';
import { Summary } from '../overview/summary.tsx';
import { RequestDetail } from './request-detail.tsx';

/** What the list has of a call, from the log and from the stream alike. */
type Row = Pick<CallNotice, 'id' | 'at' | 'method' | 'path' | 'operation' | 'reference' | 'milliseconds'> & {
  status?: number | null;
  answer?: { status: number } | null;
  findings: number | readonly unknown[];
};

const DEFINITION: ListDefinition<Row> = {
  screen: 'requests',
  title: 'Requests',
  one: 'a request',
  source: {
    path: 'requests',
    collection: null,
    take: (_add, refresh) => onNotice('call', refresh),
  },
  filters: ['status', 'operation', 'reference', 'merchantId', 'environment', 'scenario', 'method', 'path', 'refused'],
  offered: ['200', '400', '401', '403', '404', '409', '422', '429', '503'],
  row: ({ status, answer, findings, operation, method, path, reference, milliseconds, at }) => {
    const answered = status ?? answer?.status ?? null;
    const count = typeof findings === 'number' ? findings : findings.length;
    const words = [count === 0 ? null : plural(count, 'finding'), `${milliseconds} ms`];
    return {
      shape: <Shape tone={toneOfStatus(answered)} />,
      title: operation === null ? `${method} ${path}` : inWords(operation),
      detail: joinTexts([reference, ...words], ' · '),
      value: answered ?? 'no answer',
      at,
    };
  },
  empty: (
    <Empty title="No requests yet">
      <p>Each call to the merchant API is listed here, with its findings and its answer.</p>
    </Empty>
  ),
  detail: (id) => <RequestDetail id={id} />,
  summary: <Summary show={({ calls }) => (calls.count === 0 ? null : <RefusedCalls calls={calls} />)} />,
  actions: <Clear />,
};

export function Requests() {
  return <ListScreen definition={DEFINITION} />;
}

function Clear() {
  const clear = () =>
    attempt(async () => {
      await ask('DELETE', 'requests');
      showToast('The request log was cleared.');
    });
  return (
    <button type="button" class="button" onClick={clear}>
      <Icon name="trash" />
      Clear
    </button>
  );
}
