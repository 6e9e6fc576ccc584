// The layout of the guide's pages and of the API reference.

/** The links in the header of each page, relative to the address of the control API. */
const PLACES = [
  { address: 'console/', name: 'Console' },
  { address: 'guide/', name: 'Guide' },
  { address: 'docs', name: 'API reference' },
];

/** The console's own mark, as src/console/components/icon.tsx draws it. */
const MARK =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#4f46e5"/><circle cx="16" cy="12.5" r="6.5" fill="#fff"/><path d="M4 20.5c4-3.6 8-3.6 12 0s8 3.6 12 0V23a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5z" fill="#f5c16c"/></svg>';

/**
 * A complete page, without inline code and without files of other hosts.
 *
 * @param {object} parts
 * @param {string} parts.title
 * @param {string} parts.root the relative path from the page to the control API's addresses: empty, or `../`
 * @param {string} parts.here the name of the link that leads to this page
 * @param {{ script: string, style: string, icon: string }} parts.files of the console's folder
 * @param {string} [parts.head] additional content of the head
 * @param {string} parts.body the content after the header
 */
export function pageOf({ title, root, here, files, head = '', body }) {
  const assets = `${root}console/assets`;
  const links = PLACES.map(({ address, name }) => {
    const current = name === here ? ' aria-current="true"' : '';
    return `<a href="${root}${address}"${current}>${name}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – merchant-sandbox</title>
<link rel="icon" type="image/svg+xml" href="${assets}/${files.icon}">
<link rel="stylesheet" href="${assets}/${files.style}">
<script type="module" src="${assets}/${files.script}" blocking="render"></script>
${head}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="page-head">
<a class="brand" href="${root}console/" aria-label="merchant-sandbox">${MARK}<span>merchant-sandbox</span></a>
<nav aria-label="Places">${links.join('')}</nav>
</header>
${body}
</body>
</html>
`;
}
