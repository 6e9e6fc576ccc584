import type { TimelineCause } from '../../../base/schema/generated/control.ts';

const WORDS: Readonly<Record<TimelineCause['kind'], string>> = {
  merchant: 'by the merchant',
  payer: 'by the payer',
  scenario: 'as planned',
  fixtures: 'by the fixtures',
  control: 'by hand',
  clock: 'at the due time',
};

export function causeInWords(kind: TimelineCause['kind'], decidedBy?: string): TimelineCause {
  if (decidedBy === undefined) {
    return { kind, words: WORDS[kind] };
  }
  const scenario = /^rule \d+ of (.+)$/.exec(decidedBy)?.[1];
  return {
    kind,
    words: `${kind === 'fixtures' ? 'as set by' : 'by'} ${decidedBy}`,
    ...(scenario === undefined ? {} : { collection: 'scenarios', id: scenario }),
  };
}
