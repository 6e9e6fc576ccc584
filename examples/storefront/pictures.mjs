// Pictures of the goods, in the colours of the page.
import { html } from './html.mjs';

const svg = (content) => html`<svg viewBox="0 0 200 140" aria-hidden="true" class="picture">${content}</svg>`;

const PICTURES = {
  beans: html`<path class="b" d="M66 30h68l6 92a6 6 0 0 1-6 6H66a6 6 0 0 1-6-6z" />
    <path class="a" d="M66 30h68l-3-14a4 4 0 0 0-4-3H73a4 4 0 0 0-4 3z" />
    <rect class="c" x="76" y="56" width="48" height="48" rx="24" />
    <path class="line" d="M92 92c-10-10-4-26 12-26 6 14-2 26-12 26zm12-26c-6 10-10 16-12 26" />`,
  mug: html`<path class="c" d="M134 58h14a18 18 0 0 1 0 44h-18v-12h16a6 6 0 0 0 0-20h-12z" />
    <path class="b" d="M58 42h78v64a18 18 0 0 1-18 18H76a18 18 0 0 1-18-18z" />
    <path class="a" d="M56 38h82v9H56z" />
    <path class="line over" d="M82 14c-6 8 6 12 0 20M100 10c-6 9 6 14 0 22M118 14c-6 8 6 12 0 20" />`,
  'gift-card': html`<rect class="b" x="40" y="36" width="120" height="78" rx="10" />
    <path class="a" d="M40 62h120v14H40z" />
    <path class="c" d="M86 36h14v78H86z" />
    <path class="line over" d="M93 36c-24-4-22-26-8-22 8 2 8 14 8 22zm0 0c24-4 22-26 8-22-8 2-8 14-8 22z" />`,
  'coffee-club': html`<rect class="b" x="46" y="26" width="108" height="96" rx="10" />
    <path class="a" d="M46 36a10 10 0 0 1 10-10h88a10 10 0 0 1 10 10v12H46z" />
    <path class="line over" d="M70 16v18M130 16v18" />
    <path class="c" d="M76 66h40v22a14 14 0 0 1-14 14H90a14 14 0 0 1-14-14zm40 4h6a9 9 0 0 1 0 18h-6z" />`,
};

export const pictureOf = (id) => svg(PICTURES[id] ?? PICTURES.mug);

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#9a4a24"/>' +
  '<path d="M8 11h13v8a5 5 0 0 1-5 5h-3a5 5 0 0 1-5-5zm13 1h2a4 4 0 0 1 0 8h-2z" fill="#fff6e9"/></svg>';
