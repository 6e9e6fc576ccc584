// `npm run pack -- [folder]`: the package as it is published, as a tarball in a folder (default: the current one). The libraries that
// dist/ already contains are dependencies of this repository and not of the package, so a user's install fetches one package.
// Schemas, and the styles and scripts of the payer's pages, are packed without white space, because only programs read them.
// Links to files that only the repository has lead there if it is known; otherwise their text stays, and pictures are omitted.
// With --built, dist/ is packed as it is.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, posix, resolve } from 'node:path';
import { transformSync } from 'esbuild';

/** Members of package.json that only a checkout needs. */
const CHECKOUT_MEMBERS = ['dependencies', 'devDependencies', 'scripts', 'workspaces', 'overrides', 'allowScripts'];

const args = process.argv.slice(2);
const [folder = '.'] = args.filter((each) => each !== '--built');
if (!args.includes('--built')) {
  npm('run', '--silent', 'build');
}
const staged = mkdtempSync(join(tmpdir(), 'sandbox-pack-'));
try {
  const [{ files }] = JSON.parse(npm('pack', '--dry-run', '--ignore-scripts', '--json'));
  const packed = new Set(files.map(({ path }) => path));
  for (const path of packed) {
    cpSync(path, join(staged, path));
    if (path.startsWith('schemas/')) {
      writeFileSync(join(staged, path), JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))));
    }
    if (/^assets\/.*\.(css|js)$/.test(path)) {
      const { code } = transformSync(readFileSync(path, 'utf8'), {
        loader: extname(path).slice(1),
        minifyWhitespace: true,
      });
      writeFileSync(join(staged, path), code);
    }
    if (path.endsWith('.md')) {
      writeFileSync(join(staged, path), withPackedLinks(path, packed));
    }
  }
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  const published = Object.entries(manifest).filter(([name]) => !CHECKOUT_MEMBERS.includes(name));
  const packedManifest = { ...Object.fromEntries(published), ...repository() };
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(packedManifest, null, 2)}\n`);
  const [{ filename }] = JSON.parse(
    npm('pack', staged, '--ignore-scripts', '--json', '--pack-destination', resolve(folder)),
  );
  console.log(join(folder, filename));
} finally {
  rmSync(staged, { recursive: true });
}

/** The text of a page, with links that work in the package. */
function withPackedLinks(page, packed) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return readFileSync(page, 'utf8').replace(/(!?)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, picture, text, target) => {
    const file = posix.join(posix.dirname(page), target.replace(/#.*/, ''));
    const isFound =
      /^([a-z]+:|#)/.test(target) || packed.has(file) || [...packed].some((each) => each.startsWith(`${file}/`));
    if (isFound) {
      return link;
    }
    const path = `${name}/${picture ? 'raw' : 'blob'}/HEAD/${posix.join(posix.dirname(page), target)}`;
    return server && name ? `${picture}[${text}](${server}/${path})` : picture ? '' : text;
  });
}

/** npm publishes with provenance only if the package names the repository whose workflow publishes it. */
function repository() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  return server && name ? { repository: { type: 'git', url: `git+${server}/${name}.git` } } : {};
}

function npm(...args) {
  const command = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}
