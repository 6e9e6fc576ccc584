import { useEffect, useState } from 'preact/hooks';
import { type Checked, checkedOf, MOST_COUNTED } from '../../../base/report/checked.ts';
import type {
  CoverageView,
  DeliveryView,
  IntegrationFinding,
  PaymentView,
  RequestView,
} from '../../../base/schema/control.ts';
import { ask, type Page } from '../../api.ts';
import { keepFetched } from '../../keep-fetched.ts';
import { onNotice } from '../../stream.ts';

/** How long changes are gathered before all is asked for anew; longer where the answers take long, to leave room for others. */
const GATHERED_MS = 500;
const GATHERED_FACTOR = 4;

export interface Report {
  findings: readonly IntegrationFinding[];
  checked: Checked;
  coverage: CoverageView;
}

interface State {
  /** As it was seen last. */
  report: Report | undefined;
  /** Why it cannot be seen now. */
  problem: string | undefined;
}

/** What `merchant-sandbox report` says, kept up to date. */
export function useReport(): State {
  const [state, setState] = useState<State>({ report: undefined, problem: undefined });
  useEffect(() => {
    const { fetchSoon, end } = keepFetched(
      load,
      (fetched) =>
        setState((before) =>
          'value' in fetched ? { report: fetched.value, problem: undefined } : { ...before, ...fetched },
        ),
      (took) => Math.max(GATHERED_MS, took * GATHERED_FACTOR),
    );
    const notices = ['event', 'call', 'delivery', 'clock', 'cleared', 'restarted'] as const;
    const stops = [end, ...notices.map((name) => onNotice(name, fetchSoon))];
    return () => {
      for (const stop of stops) {
        stop();
      }
    };
  }, []);
  return state;
}

async function load(): Promise<Report> {
  const listed = <Item>(path: string) => ask<Page<Item>>('GET', path, { query: { limit: MOST_COUNTED } });
  const [findings, calls, payments, notifications, coverage] = await Promise.all([
    listed<IntegrationFinding>('findings'),
    listed<RequestView>('requests'),
    listed<PaymentView>('payments'),
    listed<DeliveryView>('webhooks/deliveries'),
    ask<CoverageView>('GET', 'coverage'),
  ]);
  return { findings: findings.items, checked: checkedOf({ calls, payments, notifications }), coverage };
}
