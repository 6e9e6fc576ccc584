// Who may import whom, checked by dependency-cruiser: a file imports from its own rank or below, types included.
const RANKS = [
  ['base/'],
  ['store/', 'config/', 'client/'],
  ['sessions/'],
  ['domain/behaviours/', 'domain/ledger/'],
  [
    'domain/business-rules',
    'domain/channels/',
    'domain/merchants/',
    'domain/pages/',
    'domain/payment-links/',
    'domain/payment-tokens/',
    'domain/payments/',
    'domain/payouts/',
    'domain/recurring-payments/',
    'domain/settlements/',
    'domain/shop-codes/',
  ],
  [
    'domain/bank-statements/',
    'domain/restored-state/',
    'domain/scenarios/',
    'domain/settlement-files/',
    'domain/wire/',
  ],
  ['domain/merchant-reports/'],
  ['domain/webhooks/', 'http/', 'integration/'],
  ['cluster/', 'entry-points/', 'histories/'],
  ['coverage/'],
  ['app/'],
  ['sandbox', 'start-sandbox', 'start-with'],
  ['examine/', 'recordings/'],
  ['demo/'],
  ['index', 'cli/'],
  ['bundle', 'test-kit/'],
  ['console/'],
];

const pathOf = (names) => `^src/(${names.map((name) => (name.endsWith('/') ? name : `${name}\\.tsx?$`)).join('|')})`;

const upward = RANKS.slice(0, -1).map((names, rank) => ({
  name: `no-import-upward-from-rank-${rank}`,
  comment: 'A file imports from its own rank or below; see "Architecture" in CONTRIBUTING.md.',
  severity: 'error',
  from: { path: pathOf(names) },
  to: { path: pathOf(RANKS.slice(rank + 1).flat()) },
}));

/** Folders of one rank that know nothing of each other, whichever imports. */
const APART = [
  ['domain/', 'http/'],
  ['domain/wire/', 'domain/scenarios/'],
  ['cluster/', 'entry-points/'],
  ['histories/', 'entry-points/'],
];
const apart = APART.flatMap(([one, other]) => [
  { name: `not-${one}-to-${other}`, severity: 'error', from: { path: pathOf([one]) }, to: { path: pathOf([other]) } },
  { name: `not-${other}-to-${one}`, severity: 'error', from: { path: pathOf([other]) }, to: { path: pathOf([one]) } },
]);

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
      name: 'entry-points-do-not-import-each-other',
      comment: 'What entry points share lies below them.',
      severity: 'error',
      from: { path: '^src/server/([^/]+)/' },
      to: { path: '^src/server/', pathNot: '^src/server/$1/' },
    },
    {
      name: 'client-is-a-client',
      comment: 'It knows the sandbox by the control API alone.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { path: '^src/', pathNot: '^src/(client|base)/' },
    },
    {
      name: 'console-is-a-client',
      comment:
        'The console runs in a browser and knows the sandbox by the control API alone: by the types of what that answers, how two answers are compared, how money is written, the words of the report, and the address of the built-in receiver.',
      severity: 'error',
      from: { path: '^src/console/' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(console/|base/(catch|compare-histories|money)\\.ts$|base/report/|base/schema/(control|fixtures|json-path)\\.ts$|base/text/(grouped|nearest|plural|printable)\\.ts$)',
      },
    },
    {
      name: 'demo-is-loaded-late',
      comment: 'Nothing of the demo is loaded by a normal start.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/demo/' },
      to: { path: '^src/(demo/|cli/commands/demo\\.ts$)', dynamic: false },
    },
    ...upward,
    ...apart,
  ],
  options: {
    // TypeScript 7 has no compiler API, and without a parser that knows types `export type … from` would go unseen.
    parser: 'swc',
    exclude: { path: '\\.tsx$' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
