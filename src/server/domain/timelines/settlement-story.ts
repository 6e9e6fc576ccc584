import type { Settlement } from '../../../base/schema/generated/records.ts';
import { issuesOf, nextIssue } from '../books/settlements/report-issues.ts';
import type { Story, StoryContext } from './story.ts';
import {
  entryOfChange,
  MIN_ORDER,
  moneyOf,
  plannedEntry,
  type RecordEvents,
  reasonOf,
  type StoryEntry,
} from './story-entry.ts';

const REPORT_ISSUED = 'settlement.report-issued';

export function storyOfSettlement(settlement: Settlement, { events, deliveries }: StoryContext): Story {
  const { createdAt, history, totals, currency } = settlement;
  const title = 'Opened by its first movement';
  const openingEntry = { at: createdAt, order: MIN_ORDER, kind: 'settlement.opened', title, words: '' };
  const amount = totals === null || totals.transferred === 0 ? '' : moneyOf(totals.transferred, currency);
  return {
    changes: [
      openingEntry,
      ...history.map((change) => {
        const { to } = change;
        const kind = `settlement.${to === 'Paid' || to === 'Returned' ? to.toLowerCase() : 'created'}`;
        const words = [amount, reasonOf(change)].filter((each) => each !== '').join(', ');
        return entryOfChange(kind, change, events, words);
      }),
    ],
    otherEntries: reportEntries(settlement, events),
    plannedEntries: plannedEntriesOf(settlement),
    isNotified: deliveries.length > 0,
  };
}

function reportEntries(settlement: Settlement, events: RecordEvents): StoryEntry[] {
  return issuesOf(settlement).map(({ at, version }) => {
    const issue = events.take((event) => event.type === REPORT_ISSUED && event.at === at);
    // The first report, unless it is late, is issued with the close, without a separate event.
    const placement = issue.eventId === undefined ? events.placeAfter((event) => event.at === at) : issue;
    return { at, ...placement, kind: REPORT_ISSUED, title: 'Report issued', words: `version ${version}` };
  });
}

function plannedEntriesOf(settlement: Settlement): StoryEntry[] {
  const { state, dueAt } = settlement;
  if (dueAt === null) {
    return [];
  }
  const version = nextIssue(settlement)?.version ?? 1;
  switch (state) {
    case 'Open':
      return [plannedEntry(dueAt, { kind: 'settlement.created', title: 'Will be closed', words: '' })];
    case 'InTransit':
      return [plannedEntry(dueAt, { kind: 'settlement.paid', title: 'Will be paid', words: '' })];
    default:
      return [
        plannedEntry(dueAt, { kind: REPORT_ISSUED, title: 'Report will be issued', words: `version ${version}` }),
      ];
  }
}
