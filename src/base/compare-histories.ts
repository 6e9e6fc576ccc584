import type { HistoryStep, HistoryView } from './schema/generated/control.ts';

/** The difference between two histories in one step. */
export interface StepDifference {
  step: string;
  /** The part of the step that differs, e.g. the body. */
  part: string;
  was: string;
  is: string;
}

/** Two histories, from the first step at which they can differ. */
export interface HistoryComparison {
  one: readonly HistoryStep[];
  other: readonly HistoryStep[];
  /** The first different step, and its index in both lists; undefined without a difference. */
  first: { index: number; difference: StepDifference } | undefined;
}

/** Compares two sessions. If one is a fork of the other, or both are forks of a third, compares only the steps after the fork. */
export async function compareHistories(
  fetchHistory: (session: string, after?: string) => Promise<HistoryView>,
  names: { one: string; other: string },
): Promise<HistoryComparison> {
  const [one, other] = await Promise.all([fetchHistory(names.one), fetchHistory(names.other)]);
  const comparablePartOf = async (history: HistoryView, { forkedFrom: fork }: HistoryView) =>
    fork && hasOrigin(history, fork) ? fetchHistory(history.session, fork.at) : history;
  const [left, right] = await Promise.all([comparablePartOf(one, other), comparablePartOf(other, one)]);
  return { one: left.steps, other: right.steps, first: firstDifferentStep(left.steps, right.steps) };
}

/** Whether a history contains the step at which another session was forked: as its parent, or as a sibling that has repeated the step. */
function hasOrigin({ session, forkedFrom, steps }: HistoryView, fork: NonNullable<HistoryView['forkedFrom']>): boolean {
  const isSibling = fork.session === forkedFrom?.session && fork.at !== forkedFrom.at;
  return fork.session === session || (isSibling && steps.some(({ of }) => of === fork.at));
}

export const NOTHING = 'nothing';

export function firstDifferentStep(
  was: readonly HistoryStep[],
  is: readonly HistoryStep[],
): HistoryComparison['first'] {
  for (let index = 0; index < Math.max(was.length, is.length); index += 1) {
    const difference = differenceOf(was[index], is[index]);
    if (difference) {
      return { index, difference };
    }
  }
  return undefined;
}

function differenceOf(was: HistoryStep | undefined, is: HistoryStep | undefined): StepDifference | undefined {
  if (!was || !is || was.name !== is.name) {
    const whole = { step: (was ?? is)?.name ?? '', part: 'step', was: textOf(was), is: textOf(is) };
    return was && is ? { ...whole, is: `${is.name}: ${whole.is}` } : whole;
  }
  for (const [index, { name: part, text }] of was.parts.entries()) {
    const other = is.parts[index]?.text ?? NOTHING;
    if (text !== other) {
      return { step: was.name, part, was: text, is: other };
    }
  }
  return undefined;
}

function textOf(step: HistoryStep | undefined): string {
  return step ? step.parts.map(({ text }) => text).join('\n') : NOTHING;
}

/** Characters that are shown before the first difference of two texts, if the excerpt does not show their beginning. */
const SHOWN_BEFORE_LENGTH = 60;

/** An excerpt of both sides: from their beginning or, if it would not show the difference, from shortly before that. */
export function sidesOf({ was, is }: StepDifference, length: number): { was: string; is: string } {
  let index = 0;
  while (index < was.length && was[index] === is[index]) {
    index += 1;
  }
  const from = index > length - SHOWN_BEFORE_LENGTH ? index - SHOWN_BEFORE_LENGTH : 0;
  const side = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + length)}${text.length > from + length ? '…' : ''}`;
  return { was: side(was), is: side(is) };
}
