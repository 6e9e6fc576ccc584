// Who may import whom, by folder; checked by dependency-cruiser, types included.
const LEAVES = ['examine', 'recordings', 'demo', 'test-kit'];

/** What a leaf may import besides its own folder: the client, the shared code of commands, and the public files of the library. */
const ALLOWED_FOR_LEAVES = '^src/((client|base|command)/|(index|sandbox|start-sandbox|start-with|server/index)\\.ts$)';

/** Floors of the server, lowest first: a file imports from its own floor or below. */
const FLOORS = [
  ['store/', 'config/'],
  ['sessions/'],
  ['domain/behaviours/', 'domain/books/ledger/'],
  ['domain/(?!behaviours/|books/|restored-state/|scenarios/|webhooks/|wire/)', 'domain/books/settlements/'],
  ['domain/(restored-state|scenarios|wire)/', 'domain/books/(bank-statements|settlement-files)/'],
  ['domain/books/merchant-reports/'],
  ['domain/webhooks/', 'http/', 'findings/integration/'],
  ['(merchant-api|payer-pages|control-api|console-pages)/', 'histories/'],
  ['findings/coverage/'],
  ['app/'],
  ['index\\.ts$'],
];

const onFloors = (floors) => `^src/server/(${floors.flat().join('|')})`;

const floorRules = FLOORS.slice(0, -1).map((floor, index) => ({
  name: `server-floor-${index}-imports-nothing-above`,
  from: { path: onFloors([floor]) },
  to: { path: onFloors(FLOORS.slice(index + 1)) },
}));

const rules = [
  { name: 'no-cycle', from: {}, to: { circular: true } },
  { name: 'base-imports-nothing', from: { path: '^src/base/' }, to: { path: '^src/', pathNot: '^src/base/' } },
  {
    name: 'server-imports-base',
    from: { path: '^src/server/' },
    to: { path: '^src/', pathNot: '^src/(server|base)/' },
  },
  {
    name: 'postgres-imports-server-and-base',
    from: { path: '^src/postgres/' },
    to: { path: '^src/', pathNot: '^src/(postgres|server|base)/' },
  },
  {
    name: 'commands-talk-to-a-client',
    from: { path: '^src/command/' },
    to: { path: '^src/', pathNot: '^src/(command|client|base)/' },
  },
  {
    name: 'client-imports-base',
    from: { path: '^src/client/' },
    to: { path: '^src/', pathNot: '^src/(client|base)/' },
  },
  ...LEAVES.map((leaf) => ({
    name: `${leaf}-is-a-leaf`,
    comment: 'It knows the server as its users do: by the client and the public files.',
    from: { path: `^src/${leaf}/` },
    to: { path: '^src/', pathNot: `^src/${leaf}/|${ALLOWED_FOR_LEAVES}` },
  })),
  {
    name: 'console-runs-in-a-browser',
    from: { path: '^src/console/' },
    to: { path: '^src/', pathNot: '^src/(console|client|base)/' },
  },
  {
    name: 'every-folder-of-the-server-has-a-floor',
    from: { path: '^src/server/', pathNot: onFloors(FLOORS) },
    to: {},
  },
  {
    name: 'entry-points-do-not-import-each-other',
    comment: 'Code that entry points share is in a folder below them.',
    from: { path: '^src/server/(merchant-api|payer-pages|control-api|console-pages|histories)/' },
    to: {
      path: '^src/server/(merchant-api|payer-pages|control-api|console-pages|histories)/',
      pathNot: '^src/server/$1/',
    },
  },
  { name: 'domain-knows-no-http', from: { path: '^src/server/domain/' }, to: { path: '^src/server/http/' } },
  { name: 'http-knows-no-domain', from: { path: '^src/server/http/' }, to: { path: '^src/server/domain/' } },
  {
    name: 'demo-is-loaded-late',
    comment: 'A normal start loads no code of the demo.',
    from: { path: '^src/', pathNot: '^src/demo/' },
    to: { path: '^src/demo/', dynamic: false },
  },
  ...floorRules,
];

module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    // TypeScript 7 has no compiler API, and a parser without types would not find `export type … from`.
    parser: 'swc',
    exclude: { path: '\\.tsx$' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
