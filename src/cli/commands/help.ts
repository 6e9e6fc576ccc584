import type { Command as Program } from 'commander';

/** THE TABLE of help: the groups of commands in their order, with two examples for each command. */
export const HELP: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  Start: {
    start: ['start --port 4200', 'start --scenario auto-approve --webhook-url http://localhost:3000/webhook'],
    demo: ['demo', 'demo --no-browser'],
    pay: ['pay', 'pay ORDER-7 --channel mobile-money --amount 25.00 --outcome Paid'],
    payments: ['payments state=Paid', 'payments ORDER-1001'],
    requests: ['requests status=400', 'requests --follow'],
    report: ['report --html report.html', 'report --all-sessions --strict'],
  },
  'Pay and settle': {
    settle: ['settle ORDER-1001 Paid', 'settle payment-1 Failed 51'],
    refund: ['refund ORDER-1001', 'refund ORDER-1001 3.00'],
    reverse: ['reverse ORDER-1001', 'reverse payment-1'],
    chargeback: ['chargeback ORDER-1001', 'chargeback ORDER-1001 5.00 10.4'],
    'reverse-chargeback': ['reverse-chargeback ORDER-1001', 'reverse-chargeback ORDER-1001 5.00'],
    payouts: ['payouts state=Paid', 'payouts PAYOUT-1'],
    'settle-payout': ['settle-payout PAYOUT-1 Paid', 'settle-payout PAYOUT-1 Failed AC04 --credit 2'],
    links: ['links', 'links link-1'],
    recurring: ['recurring', 'recurring recurring-1'],
    'shop-codes': ['shop-codes', 'shop-codes active=true'],
  },
  Webhooks: {
    endpoints: [
      'endpoints sandbox:catch',
      'endpoints http://localhost:3000/webhook --secret whsec_dGhlIHNlY3JldCBvZiB0aGUgcmVjZWl2ZXI=',
    ],
    deliveries: ['deliveries state=failed', 'deliveries delivery-1'],
    resend: ['resend delivery-1', 'resend'],
    resume: ['resume endpoint-1', 'resume'],
    events: ['events type=payment.paid', 'events --follow'],
  },
  'Test your integration': {
    scenario: ['scenario', 'scenario insufficient-funds'],
    behaviour: ['behaviour', 'behaviour status-lags'],
    clock: ['clock advance 15m', 'clock freeze 2026-03-01T10:00:00Z'],
    findings: ['findings', 'findings --json'],
    coverage: ['coverage', 'coverage --min 60'],
    examine: ['examine --init', 'examine adapter.mjs --command "npm start"'],
    probe: ['probe http://localhost:3000/webhook', 'probe http://localhost:3000/webhook --reference ORDER-1'],
    explain: ['explain', 'explain SBX-S13'],
  },
  'Record and compare': {
    record: [
      'record --upstream https://test.provider.example --out recording',
      'record --upstream https://test.provider.example --out recording --webhook http://localhost:3000/webhook',
    ],
    drift: ['drift recording', 'drift recording --fixtures my-fixtures'],
    har: ['har > calls.har', 'har --session checkout'],
    bundle: ['bundle', 'bundle checkout -o checkout.json'],
    open: ['open checkout.json', 'open checkout.json --no-browser'],
    fork: ['fork --as second', 'fork checkout --as second --at request-17'],
    diff: ['diff default second', 'diff checkout second --json'],
  },
  Books: {
    settlements: ['settlements', 'settlements settlement-1'],
    statement: ['statement settlement-1', 'statement settlement-1 format=camt.053 -o statement.xml'],
    balances: ['balances', 'balances merchantId=M-1000'],
    ledger: ['ledger', 'ledger entries recordId=payment-1'],
  },
  Operate: {
    sessions: ['sessions', 'sessions --json'],
    reset: ['reset', 'reset --session checkout'],
    jobs: ['jobs', 'jobs kind=settle-payment'],
    health: ['health', 'health --timeout 2s'],
    wait: ['wait', 'wait --timeout 1m'],
    mcp: ['mcp', 'mcp --url http://127.0.0.1:4100'],
    completion: ['completion bash', 'completion zsh'],
  },
};

const ENTRIES = Object.entries(HELP).flatMap(([group, commands]) =>
  Object.entries(commands).map(([name, examples]) => ({ name, group, examples })),
);
const NAMES = ENTRIES.map(({ name }) => name);

/** Sorts commands in the order of HELP, because Commander shows commands and groups in the order of their definition. */
export function inHelpOrder<Named extends { name: string }>(commands: readonly Named[]): Named[] {
  return [...commands].sort((one, other) => NAMES.indexOf(one.name) - NAMES.indexOf(other.name));
}

/** Sorts the commands of the program into groups, and adds the examples to their pages. */
export function addHelp(program: Program): void {
  const help = program.createCommand('help').argument('[command]').description('show the help of a command');
  program.addHelpCommand(help.helpOption(false).helpGroup('Operate:'));
  for (const command of program.commands) {
    const entry = ENTRIES.find(({ name }) => name === command.name());
    if (entry !== undefined) {
      const lines = entry.examples.map((example) => `\n  merchant-sandbox ${example}`);
      command
        .helpGroup(`${entry.group}:`)
        .addHelpText('after', () => `\nExamples:${lines.join('')}${commonOptionsOf(command)}`);
    }
  }
}

/** The options that nearly every command has, on one line. */
function commonOptionsOf({ options }: Program): string {
  const commonFlags = options.filter(({ hidden }) => hidden).map(({ flags }) => flags);
  return commonFlags.length === 0 ? '' : `\n\nCommon options (docs/steering.md): ${commonFlags.join(', ')}`;
}
