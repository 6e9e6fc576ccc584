// Builds the program without one of its safeguards, to prove that the check detects that.
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleProgram } from '../build/bundle-program.mjs';

/** Files that the program reads next to `dist/`. */
const RUNTIME_FILES = ['assets', 'fixtures', 'migrations', 'package.json', 'schemas'];

/** The safeguards, with the replacements that remove each, and the story of stories.mjs that must then fail. */
export const CONTROLS = [
  {
    safeguard: 'the fence',
    story: 'a late flush',
    changes: [
      {
        file: 'src/postgres/store/group-commit.ts',
        from: 'select session, flush, 0, $1, state, lines',
        to: 'select session, (select max(flush) + 1 from sandbox.journal where session = row.session), 0, $1, state, lines',
      },
      {
        file: 'src/postgres/store/group-commit.ts',
        from: `
  where exists (select from sandbox.node where id = $1 and expires > clock_timestamp())
    and (select true from sandbox.journal as before
      where before.session = row.session and before.flush = row.flush - 1 limit 1)
  on conflict do nothing`,
        to: '',
      },
    ],
  },
  {
    safeguard: "the check of a node's lease by its own clock",
    story: 'an owner that was cut off',
    changes: [
      {
        file: 'src/postgres/store/node-lease.ts',
        from: 'return elapsedMs !== undefined && elapsedMs < TRUSTED_SHARE * this.#options.leaseMs;',
        to: 'return elapsedMs !== undefined;',
      },
    ],
  },
  {
    safeguard: 'the deletion of an expired lease',
    story: 'a late commit of a renewal',
    changes: [
      {
        file: 'src/postgres/store/ownership.ts',
        from: 'delete from sandbox.node using sandbox.session',
        to: 'select node.id from sandbox.node, sandbox.session',
      },
      {
        file: 'src/postgres/store/ownership.ts',
        from: 'node.expires <= clock_timestamp() returning node.id)',
        to: 'node.expires <= clock_timestamp())',
      },
    ],
  },
  {
    safeguard: 'the acknowledgement of a commit without another check of the lease',
    story: 'an answer after the trusted part of the lease',
    changes: [
      {
        file: 'src/server/sessions/transaction-queue.ts',
        from: 'await (performed.completion ?? this.confirm());',
        to: 'await performed.completion; await this.confirm();',
      },
    ],
  },
  {
    safeguard: 'the unknown outcome of a commit without an answer',
    story: 'a lost answer',
    changes: [
      {
        file: 'src/postgres/store/refusals.ts',
        from: '  if (hasNoEffect(error)) {',
        to: '  if (hasNoEffect(error) || error !== undefined) {',
      },
    ],
  },
  {
    safeguard: 'the wait of reads for the commits that they saw',
    story: 'a read of an uncommitted payment',
    changes: [
      {
        file: 'src/server/sessions/transaction-queue.ts',
        from: `    await this.waitUntilDurable();
    (generation`,
        to: '    (generation',
      },
    ],
  },
];

/**
 * Builds the program from changed sources into a copy of `dist/`; resolves with the file to run. Throws if a text is not in its
 * source exactly once.
 *
 * @param {(typeof CONTROLS)[number]['changes']} changes
 * @param {string} folder
 */
export async function buildWithout(changes, folder) {
  for (const name of RUNTIME_FILES) {
    symlinkSync(resolve(name), join(folder, name));
  }
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  await bundleProgram(join(folder, 'dist'), [sourceChanger(changes)]);
  return join(folder, 'dist/cli.js');
}

/** @returns {import('esbuild').Plugin} */
function sourceChanger(changes) {
  const sources = new Map();
  for (const { file, from, to } of changes) {
    const source = sources.get(resolve(file)) ?? readFileSync(file, 'utf8');
    const parts = source.split(from);
    if (parts.length !== 2) {
      throw new Error(`${file} contains this text ${parts.length - 1} times instead of once: ${from}`);
    }
    sources.set(resolve(file), parts.join(to));
  }
  return {
    name: 'source-changer',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = sources.get(path);
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      });
    },
  };
}
