// The pages of docs/ as the sandbox serves them, at /_sandbox/guide/: whole documents, so that the program renders nothing.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Marked, Renderer } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { pageOf } from './explanations.mjs';

const FIRST = 'README.md';
/** What a user of the package has no use for. */
const FOR_CONTRIBUTORS = '## Work on it';

/** The pages by their addresses, relative to each other. */
const PAGES = new Map([
  ['docs/README.md', './'],
  [FIRST, 'readme'],
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && name !== FIRST)
    .map((name) => /** @type {const} */ ([`docs/${name}`, name.replace(/\.md$/, '')])),
]);

export function buildGuide(folder, explanations) {
  mkdirSync(folder, { recursive: true });
  for (const [path, name] of PAGES) {
    const text = readFileSync(path, 'utf8').split(FOR_CONTRIBUTORS)[0] ?? '';
    writePage(folder, name === './' ? 'index' : name, documentOf(text, path, name));
  }
  for (const explanation of explanations) {
    writePage(folder, explanation.id, documentOf(pageOf(explanation), 'docs/', explanation.id));
  }
  writePage(folder, 'ids', documentOf(tableOfIds(explanations), 'docs/', 'ids'));
  copyFileSync('scripts/build/guide.css', `${folder}/guide.css`);
}

/** Packed, as every browser unpacks it: pages take a quarter of the room. */
function writePage(folder, name, text) {
  writeFileSync(`${folder}/${name}.html.gz`, gzipSync(text, { level: 9 }));
}

/** All that can be explained, each with its page. */
function tableOfIds(explanations) {
  const rows = explanations.map(
    ({ id, name, kind, description }) => `| [${id}](${id}) | ${kind} | ${name} | ${description} |`,
  );
  return ['# Ids', '| id | | name | |\n|---|---|---|---|', ...rows].join('\n').replace('# Ids\n', '# Ids\n\n');
}

function documentOf(text, path, name) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – merchant-sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="guide.css">
</head>
<body>
<header>
<a href="./">merchant-sandbox</a>
<nav aria-label="Other pages"><a href="../console/overview">Console</a><a href="../docs">API reference</a></nav>
</header>
<div class="columns">
<nav aria-label="Guide">${contents(name)}</nav>
<main>${rendererFor(path).parse(text)}</main>
</div>
</body>
</html>
`;
}

function rendererFor(path) {
  return new Marked(gfmHeadingId(), {
    renderer: {
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = addressOf(href, path);
        return address === undefined ? content : `<a href="${address}">${content}</a>`;
      },
      // The pictures are of the console, which is a step away.
      image: () => '',
      table(token) {
        return `<div class="table">${Renderer.prototype.table.call(this, token)}</div>`;
      },
    },
  });
}

/** Where a link of a document leads here; undefined where what it leads to is not served. */
function addressOf(href, path) {
  if (/^(https?:|#|SBX-)/.test(href)) {
    return href;
  }
  const [to = '', fragment] = href.split('#');
  const name = PAGES.get(posix.join(posix.dirname(path), to));
  if (name === undefined) {
    return undefined;
  }
  return fragment === undefined ? name : `${name}#${fragment}`;
}

/** What leads back from the page of an id: with all pages on each of these the package would be a twentieth larger. */
const FROM_ID =
  '<ul><li><a href="./">Documentation</a></li><li><a href="ids">Ids, and what each stands for</a></li></ul>';

/** All pages, in the sections of the first one. */
function contents(name) {
  if (name.startsWith('SBX-')) {
    return FROM_ID;
  }
  const [text = ''] = readFileSync('docs/README.md', 'utf8').split(FOR_CONTRIBUTORS);
  const entry = (path, title) => {
    const here = PAGES.get(path) === name ? ' aria-current="page"' : '';
    return `<li><a href="${PAGES.get(path)}"${here}>${title}</a></li>`;
  };
  const sections = text.split(/^## /m).slice(1);
  return [
    `<ul>${entry(FIRST, 'First steps')}</ul>`,
    ...sections.map((section) => {
      const [title] = section.split('\n');
      const entries = [...section.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)];
      return `<h2>${title}</h2><ul>${entries.map(([, label, path]) => entry(`docs/${path}`, label)).join('')}</ul>`;
    }),
    `<ul><li><a href="ids"${name === 'ids' ? ' aria-current="page"' : ''}>Ids, and what each stands for</a></li></ul>`,
  ].join('');
}
