/** Colours differ in light and dark mode, and are never the only sign, because each verdict is also written in words. */
export const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --surface: #fff; --sunken: #f1f3f6; --text: #151a23; --quiet: #566073;
  --line: #dfe3e9; --accent: #4338ca; --good: #0b7a41; --good-soft: #e6f6ed; --bad: #c01f35; --bad-soft: #fdecee;
  --wait: #8f5b00; --wait-soft: #fdf3e0; --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --page: #0d1015; --surface: #15191f; --sunken: #1b2028; --text: #e9ecf1;
  --quiet: #9aa5b5; --line: #2b323d; --accent: #a9b3ff; --good: #5fd99a; --good-soft: #12301f; --bad: #ff918f;
  --bad-soft: #3a1a1e; --wait: #f5bd5c; --wait-soft: #33270f; } }
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
main { max-width: 70rem; margin: 0 auto; padding: 1.25rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0.2rem 0 0.4rem; letter-spacing: -0.015em; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 0.75rem; }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 0 0 0.75rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 0.5rem; } .card > h4:first-child { margin-top: 0; }
p { margin: 0.5rem 0; max-width: 50rem; }
a { color: var(--accent); text-underline-offset: 0.18em; }
code { font-family: var(--mono); font-size: 0.875em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
.quiet { color: var(--quiet); }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.25rem; margin: 0 0 1.25rem; }
.conclusion { font-size: 1.15rem; }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.75rem; list-style: none; padding: 0; margin: 1.25rem 0; }
.counts li { background: var(--surface); border: 1px solid var(--line); border-top: 0.25rem solid currentColor; border-radius: 0.5rem; padding: 0.6rem 0.9rem; }
.counts b { display: block; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.facts { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.35rem 1.25rem; margin: 0; }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.35rem 1.25rem; list-style: none; padding: 0; margin: 0; }
.violation { border-left: 0.3rem solid var(--bad); }
.advice { display: grid; grid-template-columns: 1fr 1fr; gap: 0.25rem 2rem; }
.advice h4 { margin: 0.25rem 0 0; } .advice p { margin: 0.1rem 0; }
details { border-top: 1px solid var(--line); } details:last-child { margin-bottom: -0.5rem; }
summary { cursor: pointer; padding: 0.6rem 0; }
.command { display: block; background: var(--sunken); border-radius: 0.4rem; padding: 0.5rem 0.75rem; }
.lanes { display: grid; grid-template-columns: 1fr 6rem 1fr; color: var(--quiet); font-size: 0.875rem; text-align: center; margin-top: 0.75rem; }
.timeline { list-style: none; margin: 0.25rem 0 1rem; padding: 0; background: linear-gradient(var(--line), var(--line)) center / 1px 100% no-repeat; }
.timeline li { display: grid; grid-template-columns: 1fr 6rem 1fr; align-items: center; padding: 0.2rem 0; }
.timeline .when { grid-column: 2; grid-row: 1; justify-self: center; background: var(--surface); color: var(--quiet); font-size: 0.8125rem;
  font-variant-numeric: tabular-nums; text-align: center; padding: 0.05rem 0.25rem; line-height: 1.25; }
.timeline .what { grid-row: 1; background: var(--sunken); border-radius: 0.5rem; padding: 0.4rem 0.75rem; font-size: 0.9375rem; }
.timeline .what::first-letter { text-transform: uppercase; }
.timeline .shop .what { grid-column: 1; border-right: 0.2rem solid var(--accent); }
.timeline .provider .what { grid-column: 3; border-left: 0.2rem solid var(--quiet); }
.timeline .side { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.wide { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
caption { text-align: left; padding: 0.6rem 0.75rem; color: var(--quiet); }
th, td { border-top: 1px solid var(--line); padding: 0.45rem 0.75rem; text-align: left; vertical-align: top; }
th { font-weight: 500; } thead th, .group th { color: var(--quiet); font-size: 0.875rem; font-weight: 600; }
.group th { background: var(--sunken); } .matrix { min-width: 40rem; } .matrix th[scope=row] { width: 34%; }
.violated { color: var(--bad); } .inconclusive, .not-exercised { color: var(--wait); }
.handled, .handled-after-reconcile { color: var(--good); } .not-applicable { color: var(--quiet); }
td.violated { background: var(--bad-soft); font-weight: 600; } td.inconclusive { background: var(--wait-soft); }
td.violated a { color: inherit; }
.marked { display: inline-flex; gap: 0.35rem; vertical-align: top; }
.marked svg { flex: none; width: 1em; height: 1em; margin-top: 0.25em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.ids { font-size: 0.875rem; color: var(--quiet); }
.reasons { list-style: none; } .reasons li + li { border-top: 1px solid var(--line); margin-top: 0.75rem; padding-top: 0.75rem; }
.reasons p { margin: 0; white-space: pre-line; }
@media (max-width: 45rem) {
  main { padding: 1rem 1rem 3rem; } h1 { font-size: 1.5rem; } .card { padding: 1rem; }
  .facts, .advice { grid-template-columns: 1fr; } .facts dd { margin-bottom: 0.5rem; }
  .counts { grid-template-columns: 1fr 1fr; }
  .lanes { display: none; }
  .timeline { background: none; }
  .timeline li { grid-template-columns: auto 1fr; gap: 0.1rem 0.6rem; padding: 0.35rem 0; }
  .timeline .side { position: static; width: auto; height: auto; clip-path: none; font-size: 0.8125rem; font-weight: 600; }
  .timeline .when { grid-column: 2; justify-self: start; padding: 0; }
  .timeline .what, .timeline .shop .what, .timeline .provider .what { grid-column: 1 / 3; grid-row: 2; border-right: 0; }
  .timeline .shop .what { border-left: 0.2rem solid var(--accent); }
  .check-list thead { display: none; } .check-list tr, .check-list th, .check-list td { display: block; border-top: 0; }
  .check-list tr { border-top: 1px solid var(--line); padding: 0.35rem 0; } .check-list th, .check-list td { padding: 0.15rem 0.75rem; }
}
@media print { .card, .wide { break-inside: avoid; } nav { display: none; } }
`;
