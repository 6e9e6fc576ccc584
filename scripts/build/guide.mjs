// The pages of docs/ for /_sandbox/guide/, rendered here, so that the program only serves files.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Marked, Renderer } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { pageOf as explanationPage } from './explanations.mjs';
import { sectionsOf, textOf } from './guide-search.mjs';
import { pageOf } from './page.mjs';

const FIRST = 'README.md';
/** The section that is removed, because only contributors need it. */
const FOR_CONTRIBUTORS = '## Work on it';

/** The pages by their addresses, relative to each other. */
const PAGES = new Map([
  ['docs/README.md', './'],
  [FIRST, 'readme'],
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && name !== FIRST)
    .map((name) => /** @type {const} */ ([`docs/${name}`, name.replace(/\.md$/, '')])),
]);

/** Writes each page as HTML and as Markdown, the search index, and llms.txt, which lists the pages for programs. */
export function buildGuide(folder, explanations, files) {
  mkdirSync(folder, { recursive: true });
  const pages = [
    ...[...PAGES].map(([path, name]) => ({ path, name, text: textAt(path) })),
    ...explanations.map((each) => ({ path: 'docs/', name: each.id, text: explanationPage(each) })),
    { path: 'docs/', name: 'ids', text: tableOfIds(explanations) },
  ];
  for (const { path, name, text } of pages) {
    writePacked(`${folder}/${fileOf(name)}.html`, documentOf(text, path, name, files));
    const markdown = markdownOf(text, path);
    // An identical file in docs/ is not written again, because the program can read that.
    if (path !== `docs/${name}.md` || markdown !== readFileSync(path, 'utf8')) {
      writePacked(`${folder}/${fileOf(name)}.md`, markdown);
    }
  }
  const searchedPages = pages.filter(({ name }) => name !== 'ids');
  writePacked(
    `${folder}/search.json`,
    JSON.stringify(searchedPages.flatMap(({ path, name, text }) => sectionsOf(rendererFor(path).parse(text), name))),
  );
  writePacked(`${folder}/llms.txt`, listForPrograms());
}

function textAt(path) {
  return readFileSync(path, 'utf8').split(FOR_CONTRIBUTORS)[0] ?? '';
}

function fileOf(name) {
  return name === './' ? 'index' : name;
}

/** Compressed, which every browser supports: pages take a quarter of the space. */
function writePacked(path, text) {
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
}

/** A table of all ids, each with a link to its page. */
function tableOfIds(explanations) {
  const rows = explanations.map(
    ({ id, name, kind, description }) => `| [${id}](${id}) | ${kind} | ${name} | ${description} |`,
  );
  return ['# Ids\n', '| Id | Kind | Name | What it means |\n|---|---|---|---|', ...rows].join('\n');
}

function documentOf(text, path, name, files) {
  const content = rendererFor(path).parse(text);
  return pageOf({
    title: /^# (.+)$/m.exec(text)?.[1] ?? name,
    root: '../',
    here: 'Guide',
    files,
    head: `<link rel="alternate" type="text/markdown" href="${fileOf(name)}.md">\n`,
    body: `<div class="columns">
<nav aria-label="Guide"><div id="search"></div><div id="contents">${contents(name)}</div></nav>
<main id="main">${onThisPage(content)}<article>${content}</article></main>
</div>`,
  });
}

/** The sections of a page, if it has several. */
function onThisPage(content) {
  const items = [...content.matchAll(/<h2 id="([^"]*)">(.*?)<\/h2>/gs)].map(
    ([, id, heading]) => `<li><a href="#${id}">${heading}</a></li>`,
  );
  return items.length < 2
    ? ''
    : `<nav class="on-this-page" aria-label="On this page"><details><summary>On this page</summary>
<ul>${items.join('')}</ul></details></nav>\n`;
}

const EMPTY_HEAD = /<thead>\s*<tr>\s*(<td><\/td>\s*)+<\/tr>\s*<\/thead>/;

function rendererFor(path) {
  return new Marked(gfmHeadingId(), {
    renderer: {
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = addressOf(href, path);
        return address === undefined ? content : `<a href="${address}">${content}</a>`;
      },
      // Images show the console, which readers of the guide can open.
      image: () => '',
      table(token) {
        const table = Renderer.prototype.table.call(this, token).replace(EMPTY_HEAD, '');
        return `<div class="table" tabindex="0">${table}</div>`;
      },
      // An empty cell in the head of a table must not be a heading.
      tablecell(token) {
        const isEmpty = token.header && token.text === '';
        return isEmpty ? '<td></td>\n' : Renderer.prototype.tablecell.call(this, token);
      },
      code(token) {
        const block = Renderer.prototype.code.call(this, token).replace('<pre>', '<pre tabindex="0">');
        return `<div class="code">${block}<div class="copy"></div></div>`;
      },
    },
  });
}

/** A page as Markdown, with links to the Markdown of other pages. */
function markdownOf(text, path) {
  return text
    .replace(/\[?!\[[^\]]*\]\([^)]*\)(\]\([^)]*\))?\n*/g, '')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, content, href) => {
      const address = addressOf(href, path);
      if (address === undefined) {
        return content;
      }
      const [page = '', fragment] = address.split('#');
      const isPage = page !== '' && !/^https?:/.test(page);
      return isPage ? `[${content}](${fileOf(page)}.md${fragment === undefined ? '' : `#${fragment}`})` : link;
    });
}

/** The target of a document's link within the guide; undefined if the target is not served. */
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

/** The sections of the first page, each with the pages that it lists. */
function sections() {
  const [, ...parts] = textAt('docs/README.md').split(/^## /m);
  return parts.map((part) => ({
    title: part.split('\n')[0],
    pages: [...part.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)].map(([, title, path, about]) => ({
      title,
      path: `docs/${path}`,
      about,
    })),
  }));
}

/** The navigation on the page of an id. A list of all pages on each of them would enlarge the package by a twentieth. */
const FROM_ID = '<ul><li><a href="./">Documentation</a></li><li><a href="ids">Ids and their meanings</a></li></ul>';

/** All pages, in the sections of the first one. */
function contents(name) {
  if (name.startsWith('SBX-')) {
    return FROM_ID;
  }
  const entry = (path, title) => {
    const here = PAGES.get(path) === name ? ' aria-current="page"' : '';
    return `<li><a href="${PAGES.get(path)}"${here}>${title}</a></li>`;
  };
  return [
    `<ul>${entry('docs/README.md', 'Documentation')}${entry(FIRST, 'First steps')}</ul>`,
    ...sections().map(
      ({ title, pages }) => `<h2>${title}</h2><ul>${pages.map((page) => entry(page.path, page.title)).join('')}</ul>`,
    ),
    `<ul><li><a href="ids"${name === 'ids' ? ' aria-current="page"' : ''}>Ids and their meanings</a></li></ul>`,
  ].join('');
}

/** Source: https://llmstxt.org. */
function listForPrograms() {
  const { description } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entry = (path, title, about) => `- [${title}](${fileOf(PAGES.get(path) ?? '')}.md): ${textOf(about)}`;
  return `# merchant-sandbox

> ${description}

It runs on one machine, moves no money and needs no network. Its OpenAPI document is at [openapi.json](../openapi.json).

## Begin

${entry(FIRST, 'First steps', 'the first payment, and an overview')}

${sections()
  .map(
    ({ title, pages }) => `## ${title}\n\n${pages.map((page) => entry(page.path, page.title, page.about)).join('\n')}`,
  )
  .join('\n\n')}

## Optional

- [Ids](ids.md): what each shipped scenario and behaviour, refusal and finding means
`;
}
