// Builds pages as text, in which the input of customers is escaped.

class Markup {
  constructor(text) {
    this.text = text;
  }
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function textOf(value) {
  if (value instanceof Markup) {
    return value.text;
  }
  if (Array.isArray(value)) {
    return value.map(textOf).join('');
  }
  return value === undefined || value === null || value === false
    ? ''
    : String(value).replace(/[&<>"']/g, (each) => ENTITIES[each]);
}

export const html = (strings, ...values) => new Markup(String.raw({ raw: strings }, ...values.map(textOf)));

/** A complete page. `head`: additional content of its head. */
export function pageOf(title, main, head = html``) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="stylesheet" href="/storefront.css" />
    <link rel="icon" href="/icon.svg" />
    ${head}
  </head>
  <body>
    <header>
      <a class="brand" href="/">Corner Shop</a>
      <p class="note">A demo shop in the sandbox: no money moves.</p>
    </header>
    <main>${main}</main>
  </body>
</html>`.text;
}
