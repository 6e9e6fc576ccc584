// Who may import whom, checked by dependency-cruiser: a file imports from its own rank or below, types included.
const RANKS = [
  ['shapes/', 'refusal', 'money', 'settings', 'time', 'turn', 'redact', 'log', 'version', 'package-root'],
  ['store/', 'fixtures', 'watch-fixtures'],
  ['session/'],
  ['world/'],
  ['wire/', 'scenarios/'],
  ['webhooks/'],
  ['merchant-api/', 'payer/', 'control/'],
  ['sandbox', 'client', 'due'],
  ['index', 'cli', 'banner', 'commands/'],
];
const DOORS = ['merchant-api', 'payer', 'control'];

const pathOf = (names) => `^src/(${names.map((name) => (name.endsWith('/') ? name : `${name}\\.tsx?$`)).join('|')})`;

const upward = RANKS.slice(0, -1).map((names, rank) => ({
  name: `no-import-upward-from-rank-${rank}`,
  comment: 'A file imports from its own rank or below; see "How the house is built" in the README.',
  severity: 'error',
  from: { path: pathOf(names) },
  to: { path: pathOf(RANKS.slice(rank + 1).flat()) },
}));

const doors = DOORS.map((door) => ({
  name: `no-import-from-door-${door}-to-another`,
  comment: 'Doors do not import each other; what they share lies below them.',
  severity: 'error',
  from: { path: `^src/${door}/` },
  to: { path: `^src/(${DOORS.filter((other) => other !== door).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'every-file-has-a-rank',
      comment: 'Name the new file or folder in scripts/import-ranks.cjs.',
      severity: 'error',
      from: { path: '^src/', pathNot: pathOf(RANKS.flat()) },
      to: {},
    },
    {
      name: 'every-imported-file-has-a-rank',
      comment: 'Name the new file or folder in scripts/import-ranks.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: pathOf(RANKS.flat()) },
    },
    ...upward,
    ...doors,
    { name: 'not-wire-to-scenarios', severity: 'error', from: { path: '^src/wire/' }, to: { path: '^src/scenarios/' } },
    { name: 'not-scenarios-to-wire', severity: 'error', from: { path: '^src/scenarios/' }, to: { path: '^src/wire/' } },
  ],
  options: {
    // TypeScript 7 has no compiler API, and without a parser that knows types `export type … from` would go unseen.
    parser: 'swc',
    exclude: { path: '\\.tsx$' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
