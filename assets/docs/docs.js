// The API reference: Swagger UI over this server's own document. Nothing is loaded from anywhere else.

import { plugin } from './plugin.js';

/** Required members of forms whose example is empty. Swagger UI leaves out what is empty. */
const EMPTY = new Set();

function findEmpty({ components }) {
  for (const { properties = {}, required } of Object.values(components.schemas)) {
    const isForm = Object.values(properties).some(({ format }) => format === 'binary');
    for (const name of isForm ? required.filter((each) => properties[each].example === '') : []) {
      EMPTY.add(name);
    }
  }
}

function sendEmpty(request) {
  if (request.body instanceof FormData) {
    for (const name of EMPTY) {
      request.body.has(name) || request.body.append(name, '');
    }
  }
  return request;
}

/** A token that was answered is used from then on. JSON is shown as such, also where it is `text/plain`. */
function useAnswer(response) {
  const answered = parsed(response.text);
  if (answered === undefined) {
    return response;
  }
  if (response.ok && /\/auth\/authenticate\//.test(response.url)) {
    ui.preauthorizeApiKey('bearer', answered.token);
  }
  return { ...response, text: JSON.stringify(answered, null, 2) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function followColourScheme({ matches }) {
  document.documentElement.classList.toggle('dark-mode', matches);
}

/** The field is said to look at tags and paths; here it looks at more. */
function nameSearch(_changes, observer) {
  const field = document.querySelector('.operation-filter-input');
  if (field) {
    field.placeholder = 'Search by path, name or words';
    field.ariaLabel = field.placeholder;
    observer.disconnect();
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', followColourScheme);
followColourScheme(dark);

const reference = document.getElementById('reference');
new MutationObserver(nameSearch).observe(reference, { childList: true, subtree: true });

const answer = await fetch('openapi.json');
const spec = await answer.json();
// The page may be open under another name of this server than the one that the document has.
spec.servers = [{ url: location.href.replace(/\/_sandbox\/docs.*$/, '') }];

findEmpty(spec);

const ui = window.SwaggerUIBundle({
  spec,
  domNode: reference,
  plugins: [plugin],
  filter: true,
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  requestInterceptor: sendEmpty,
  responseInterceptor: useAnswer,
  validatorUrl: 'none',
});
