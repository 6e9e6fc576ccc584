import { useEffect, useState } from 'preact/hooks';
import { type Checked, checkedOf, MOST_COUNTED } from '../../../base/report/checked.ts';
import type {
  CoverageView,
  DeliveryView,
  IntegrationFinding,
  PaymentView,
  RequestView,
} from '../../../base/schema/control.ts';
import { ask, messageOf, type Page } from '../../api.ts';
import { onFresh, onNotice } from '../../stream.ts';

/** How long changes are gathered before all is asked for anew; longer where the answers take long, to leave room for others. */
const GATHERED_MS = 500;
const GATHERED_FACTOR = 4;

export interface Report {
  findings: readonly IntegrationFinding[];
  checked: Checked;
  coverage: CoverageView;
}

interface Fetched {
  /** As it was seen last. */
  report: Report | undefined;
  /** Why it cannot be seen now. */
  problem: string | undefined;
}

/** What `merchant-sandbox report` says, kept up to date. */
export function useReport(): Fetched {
  const [fetched, setFetched] = useState<Fetched>({ report: undefined, problem: undefined });
  useEffect(() => {
    let isOver = false;
    let isAsking = false;
    let isOutdated = false;
    let took = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fetchNow = async () => {
      isAsking = true;
      isOutdated = false;
      const asked = performance.now();
      const report = await load().catch(messageOf);
      took = performance.now() - asked;
      isAsking = false;
      if (!isOver) {
        const isThere = typeof report !== 'string';
        setFetched((before) => (isThere ? { report, problem: undefined } : { ...before, problem: report }));
        isOutdated && fetchSoon();
      }
    };
    const fetchSoon = () => {
      // What happens while it is asked for may be in none of the answers.
      isOutdated = true;
      if (!isAsking) {
        timer ??= setTimeout(
          () => {
            timer = undefined;
            void fetchNow();
          },
          Math.max(GATHERED_MS, took * GATHERED_FACTOR),
        );
      }
    };
    const stops = [
      onFresh(fetchSoon),
      ...(['event', 'call', 'delivery', 'clock', 'cleared', 'restarted'] as const).map((name) =>
        onNotice(name, fetchSoon),
      ),
    ];
    void fetchNow();
    return () => {
      isOver = true;
      clearTimeout(timer);
      for (const stop of stops) {
        stop();
      }
    };
  }, []);
  return fetched;
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
