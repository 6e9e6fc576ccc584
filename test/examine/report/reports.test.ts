import { viewVerdicts } from '../../../src/examine/examination-view.ts';
import { CHECK_LIST, findingsFor } from '../../../src/examine/report/check-list.ts';
import { describeUncounted } from '../../../src/examine/report/report.ts';
import { REPORTS } from '../../../src/examine/report/reports.ts';
import { stepSummaryOf } from '../../../src/examine/report/step-summary.ts';
import { summaryOf } from '../../../src/examine/report/summary.ts';
import { SITUATIONS } from '../../../src/examine/situations/situations.ts';
import { INVARIANTS } from '../../../src/examine/verdicts/invariants.ts';
import { AWKWARD, EVERY_VERDICT } from '../every-verdict.ts';

it('the checklist covers all invariants, and names only existing situations in which these are judged', () => {
  const judged = CHECK_LIST.flatMap(({ judgedBy }) => (judgedBy ? [judgedBy] : []));
  expect(judged.length).toBeGreaterThan(19);
  for (const { situations, invariants } of judged) {
    const found = situations.map((id) => SITUATIONS.find((each) => each.id === id)?.invariants);
    expect([situations, found.every((ids) => ids?.some((id) => invariants.includes(id)))]).toEqual([situations, true]);
  }
  expect(new Set(judged.flatMap(({ invariants }) => invariants)).size).toBe(INVARIANTS.length);
});

it('an item of the checklist lists its findings, also in combinations, or is left to people', () => {
  const idsFor = (words: string) => {
    const item = CHECK_LIST.find((each) => each.item.includes(words));
    return item ? findingsFor(item, EVERY_VERDICT.verdicts).map(({ id }) => id) : ['no such item'];
  };
  expect(idsFor('late or early')).toEqual(['I4-answer-lost+notified-late-qr-wallet']);
  expect(idsFor('contract')).toEqual([]);
});

it('the summary has the counts, each cause once with its story, and the reasons for the other verdicts', () => {
  const text = summaryOf(EVERY_VERDICT);
  const [first, second, third, fourth] = text.split('\n');
  expect(first).toBe(
    `1 handled, 1 handled after reconciliation, ${INVARIANTS.length + 1} violated (${INVARIANTS.length} causes), 1 not exercised, 1 inconclusive, 1 not applicable`,
  );
  expect(second).toBe('1,200 orders in 24.0 s, 40 of them in combinations of situations; requirements 2026-12, seed 7');
  expect(third).toMatch(/^slowest: /);
  expect(fourth).toBe('Not a certification by any provider.');
  expect(text.match(/^VIOLATED I\d+: /gm)).toHaveLength(INVARIANTS.length);
  expect(text).toContain('    2026-03-02 11:00:03 provider sends delivery-1, payment.paid: shop answers 204');
  expect(text).toContain('  Open: merchant-sandbox open examination/I2-call-refused-mobile-money.bundle');
  expect(text).toContain('  Also, probably by the same cause: I2-notified-twice-qr-wallet');
  expect(text).toContain('slowest: answer-never on mobile-money 2.4 s');
  expect(text).toContain(`NOT EXERCISED: ${AWKWARD}\n  I1-query-lags-qr-wallet`);
});

it('the table of the report links a violation that results from another one to the cause', () => {
  const [found] = EVERY_VERDICT.verdicts;
  const violated = (invariant: 'I3' | 'I10') => (found ? [{ ...found, invariant, verdict: 'violated' as const }] : []);
  const page = REPORTS.html({ ...EVERY_VERDICT, verdicts: [...violated('I3'), ...violated('I10')] });
  const targets = [...page.matchAll(/href="#(I\d+)"/g)].map(([, id]) => id);
  expect(targets.length).toBeGreaterThan(1);
  for (const id of targets) {
    expect(page).toContain(`id="${id}"`);
  }
  expect(page).toContain('<a href="#I10">I3</a>');
});

it('the report has a lane for the examined party, and names any other party in its steps', () => {
  const shop = REPORTS.html(EVERY_VERDICT);
  expect(shop).toContain('<div class="lanes" aria-hidden="true"><span>Shop</span>');
  const [found] = EVERY_VERDICT.verdicts;
  const step = (who: 'probe' | 'receiver', text: string) => ({ at: null, side: 'shop' as const, who, text });
  const history = [step('probe', 'accepts an order'), step('receiver', 'acknowledged none')];
  const verdicts = found ? [{ ...found, history }] : [];
  const receiver = REPORTS.html({ ...EVERY_VERDICT, subject: 'receiver', verdicts });
  expect(receiver).toContain('<div class="lanes" aria-hidden="true"><span>Receiver</span>');
  expect(receiver).toContain('<span class="side">Receiver</span><span class="what">probe accepts an order</span>');
  expect(receiver).toContain('<span class="what">acknowledged none</span>');
  expect(receiver).not.toContain('<span class="side">Shop</span>');
});

it('the summary for a CI run has one row for each violated invariant, even with awkward texts', () => {
  const lines = stepSummaryOf(EVERY_VERDICT).split('\n');
  expect(lines[0]).toBe('### Examination of a shop');
  expect(lines).toContain('Not a certification by any provider.');
  const rows = lines.filter((line) => /^\| <b>I\d+<\/b>/.test(line));
  expect(rows).toHaveLength(INVARIANTS.length);
  for (const row of rows) {
    expect(row.split('|')).toHaveLength(5);
    expect(row.replaceAll(/<\/?(?:b|br|code)>/g, '')).not.toMatch(/[<>`*]/);
  }
  expect(rows.join('\n')).toContain('merchant-sandbox open examination/I1-call-answered-mobile-money.bundle');
});

it('the report mentions a call of the shop that was answered 401, but no notification that the shop answered 401', () => {
  const [found] = EVERY_VERDICT.verdicts;
  const withStep = (side: 'shop' | 'provider') => {
    const history = [{ at: null, side, who: side, text: 'sends GET /payments: answered 401' }];
    const report = { ...EVERY_VERDICT, verdicts: found ? [{ ...found, history }] : [] };
    return [summaryOf(report), REPORTS.html(report)].map((text) => text.includes('401: the shop must then'));
  };
  expect(withStep('shop')).toEqual([true, true]);
  expect(withStep('provider')).toEqual([false, false]);
});

it('the summary and the page report findings about calls and answers', () => {
  expect(summaryOf(EVERY_VERDICT)).toContain(
    'FINDING SBX-W10: The status of one payment was queried 60 times within a second.\n  the payment is made, but the connection is reset, on qr-wallet: expected fewer queries, received 60 queries\n',
  );
  expect(REPORTS.html(EVERY_VERDICT)).toMatch(
    /<h2 id="findings">[^<]*<\/h2><ul[^>]*><li><p><b>SBX-W10<\/b> The status/,
  );
  expect(JSON.parse(REPORTS.json(EVERY_VERDICT)).findings).toMatchObject([{ id: 'SBX-W10' }]);
});

it('the HTML, JSON and CI reports, and the console, say how many violations do not count', () => {
  const verdicts = EVERY_VERDICT.verdicts.map((each) => ({ ...each, isScored: each.invariant !== 'I2' }));
  const uncounted = describeUncounted(verdicts.filter(({ verdict, isScored }) => verdict === 'violated' && !isScored));
  const note = uncounted?.note ?? '';
  expect(note).toMatch(/^NOT COUNTED: 2 violations outside requirements/);
  const report = { ...EVERY_VERDICT, verdicts, ...(uncounted ? { uncounted } : {}) };
  expect(REPORTS.html(report)).toContain(`<p class="conclusion inconclusive">${note}</p>`);
  expect(JSON.parse(REPORTS.json(report)).uncounted).toEqual({ violations: 2, note });
  expect(stepSummaryOf(report).split('\n')).toContain(`**${note}**`);
  expect(viewVerdicts(verdicts).uncounted).toBe(note);
  expect(viewVerdicts(EVERY_VERDICT.verdicts)).not.toHaveProperty('uncounted');
});

it.each([
  ['I4', 'notified-before-answer', 'Store the order with its reference before you send the payment request'],
  ['I4', 'answer-lost+notified-late', 'A payment request without a usable answer may have made a payment'],
  ['I2', 'notified-at-once', 'under a lock or a unique constraint'],
  ['I4', 'order-backdated', 'select orders by state, not by age'],
  ['I9', 'zone-ahead', 'Read times with their offset'],
] as const)('the advice for %s in %s fits the situation', (invariant, situation, advice) => {
  const [found] = EVERY_VERDICT.verdicts;
  const verdicts = found ? [{ ...found, invariant, situation }] : [];
  expect(summaryOf({ ...EVERY_VERDICT, verdicts })).toContain(advice);
  expect(REPORTS.html({ ...EVERY_VERDICT, verdicts })).toContain(advice);
});
