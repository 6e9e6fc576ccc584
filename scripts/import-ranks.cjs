// Who may import whom, checked by dependency-cruiser: a file imports from its own rank or below, types included.
const RANKS = [
  [
    'schema/',
    'refusal',
    'money',
    'time',
    'calendar',
    'timers',
    'own-member',
    'load-once',
    'package',
    'hash-table',
    'cursor',
    'text/',
  ],
  ['store/', 'config/'],
  ['sessions/'],
  ['ledger/'],
  ['domain/'],
  ['wire/', 'scenarios/', 'settlement-files/'],
  ['webhooks/', 'openapi/', 'metrics/'],
  ['http/', 'tls/'],
  ['merchant-api/', 'payer-pages/', 'control-api/', 'console-pages/', 'cluster/'],
  ['sandbox', 'open-store', 'entry-points', 'client/', 'jobs', 'fixture-reload'],
  ['mcp/'],
  ['index', 'cli', 'commands/'],
  ['bundle', 'test-kit/'],
  ['console/'],
];
const ENTRY_POINTS = ['merchant-api', 'payer-pages', 'control-api', 'console-pages'];

const pathOf = (names) => `^src/(${names.map((name) => (name.endsWith('/') ? name : `${name}\\.tsx?$`)).join('|')})`;

const upward = RANKS.slice(0, -1).map((names, rank) => ({
  name: `no-import-upward-from-rank-${rank}`,
  comment: 'A file imports from its own rank or below; see "Architecture" in CONTRIBUTING.md.',
  severity: 'error',
  from: { path: pathOf(names) },
  to: { path: pathOf(RANKS.slice(rank + 1).flat()) },
}));

const entryPoints = ENTRY_POINTS.map((entryPoint) => ({
  name: `no-import-from-${entryPoint}-to-another-entry-point`,
  comment: 'Entry points do not import each other; what they share lies below them.',
  severity: 'error',
  from: { path: `^src/${entryPoint}/` },
  to: { path: `^src/(${ENTRY_POINTS.filter((other) => other !== entryPoint).join('|')})/` },
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
    {
      name: 'console-is-a-client',
      comment:
        'The console runs in a browser and knows the sandbox by the control API alone: by the types of what that answers.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(console/|schema/(control|fixtures|json-path)\\.ts$|text/(grouped|nearest|plural|printable)\\.ts$)',
      },
    },
    ...upward,
    ...entryPoints,
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
