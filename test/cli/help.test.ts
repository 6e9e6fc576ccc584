import { COMMANDS } from '../../src/cli/commands/commands.ts';
import { HELP } from '../../src/cli/commands/help.ts';
import { parseFilters } from '../../src/cli/commands/lists.ts';
import { runCommand } from '../run-command.ts';

const examples = Object.values(HELP).flatMap((commands) => Object.entries(commands));

describe('help', () => {
  it('has each command in exactly one group, with the six commands of the group Start first', async () => {
    const { stdout } = await runCommand(['--help']);
    const lines = stdout.split('\n');
    expect(lines.filter((line) => /^[A-Z].*:$/.test(line))).toEqual([
      'Options:',
      ...Object.keys(HELP).map((group) => `${group}:`),
    ]);
    expect(lines.flatMap((line) => /^ {2}([a-z][a-z-]+)/.exec(line)?.[1] ?? [])).toEqual([
      ...examples.map(([name]) => name),
      'help',
    ]);
    expect(examples.map(([name]) => name).slice(0, 6)).toEqual([
      'start',
      'demo',
      'pay',
      'payments',
      'requests',
      'report',
    ]);
    expect(new Set(examples.map(([name]) => name))).toEqual(
      new Set(['start', 'demo', 'completion', ...COMMANDS.map(({ name }) => name)]),
    );
  });

  it.each(examples)('of %s has two examples of its flags and arguments', async (name, lines) => {
    const { code, stdout } = await runCommand(['help', name]);
    expect(code).toBe(0);
    for (const line of lines) {
      expect(stdout).toContain(`  merchant-sandbox ${line}\n`);
      expect(line.split(' ')[0]).toBe(name);
      // Wrong flags are refused before help is shown.
      const words = line
        .replace(/ > .*/, '')
        .replace(/"[^"]*"/, 'x')
        .split(' ');
      expect((await runCommand([...words, '--help'])).stderr).toBe('');
    }
  });

  it.each([
    ['record', '--upstream'],
    ['record', '--out'],
    ['fork', '--as'],
  ])('of %s has the required flag %s in each example', (name, flag) => {
    const [, lines = []] = examples.find(([command]) => command === name) ?? [];
    expect(lines.filter((line) => !line.includes(`${flag} `))).toEqual([]);
  });

  it('shows the common options on one line', async () => {
    const { stdout } = await runCommand(['help', 'refund']);
    expect(stdout).toContain(
      'Common options (docs/steering.md): --url <address>, --session <name>, --control-token <text>, --json\n',
    );
    expect(stdout).not.toContain('address of the sandbox');
  });

  it('lists the codes of outcomes by channel', async () => {
    const { stdout } = await runCommand(['help', 'settle']);
    expect(stdout).toMatch(/^ {2}channel +Paid +Failed +Cancelled +Expired$/m);
    expect(stdout).toMatch(/^ {2}mobile-money +00 +51 +05 +68$/m);
  });
});

describe('a filter', () => {
  it('is accepted in upper or lower case, and gets the spelling of its schema', () => {
    expect(parseFilters(['STATE=paid', 'Merchantid=M-1000'], 'control/payments-query')).toEqual({
      state: 'Paid',
      merchantId: 'M-1000',
    });
  });
});
