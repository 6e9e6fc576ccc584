import type { ComponentChildren } from 'preact';
import type { OverviewView } from '../../../base/schema/generated/control.ts';
import { useSessionData } from '../../use-session-data.ts';
import { fetchOverview } from './fetch-overview.ts';

interface SummaryProps {
  /** Null if there is nothing to summarize. */
  show(overview: OverviewView): ComponentChildren;
}

/** A part of the overview, next to the list that it summarizes. */
export function OverviewSummary({ show }: SummaryProps) {
  const { value: overview } = useSessionData(fetchOverview);
  return <div class="detail-content overview">{overview === undefined ? null : show(overview)}</div>;
}
