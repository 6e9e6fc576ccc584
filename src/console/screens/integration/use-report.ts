import { type CheckSummary, MAX_COUNTED, summarizeChecks } from '../../../base/report/check-summary.ts';
import type {
  CoverageView,
  DeliveryView,
  IntegrationFinding,
  PaymentView,
  RequestView,
} from '../../../base/schema/generated/control.ts';
import { ask, type ListPage } from '../../api.ts';
import { useSessionData } from '../../use-session-data.ts';

export interface IntegrationReport {
  findings: readonly IntegrationFinding[];
  checked: CheckSummary;
  coverage: CoverageView;
}

/** The data of `merchant-sandbox report`, kept up to date. */
export function useReport() {
  return useSessionData(load);
}

async function load(): Promise<IntegrationReport> {
  const listed = <Item>(path: string) => ask<ListPage<Item>>('GET', path, { query: { limit: MAX_COUNTED } });
  const [findings, calls, payments, notifications, coverage] = await Promise.all([
    listed<IntegrationFinding>('findings'),
    listed<RequestView>('requests'),
    listed<PaymentView>('payments'),
    listed<DeliveryView>('webhooks/deliveries'),
    ask<CoverageView>('GET', 'coverage'),
  ]);
  return { findings: findings.items, checked: summarizeChecks({ calls, payments, notifications }), coverage };
}
