// Optional: the pages also work without scripts, but then without countdown, keypad and live updates.

/** The end of each countdown, by this browser's clock. */
const endTimes = new WeakMap();

function countDown() {
  for (const element of document.querySelectorAll('[data-remaining][data-running=true]')) {
    endTimes.set(element, endTimes.get(element) ?? Date.now() + Number(element.dataset.remaining) * 1000);
    const left = Math.ceil((endTimes.get(element) - Date.now()) / 1000);
    const minutes = Math.floor(left / 60);
    element.textContent = left > 0 ? `${minutes}:${String(left % 60).padStart(2, '0')}` : 'a moment';
  }
}

/** Milliseconds by which each phone's clock is ahead of this browser's. */
const clockLeadsMs = new WeakMap();

function showTime() {
  for (const element of document.querySelectorAll('[data-clock][data-running=true]')) {
    clockLeadsMs.set(element, clockLeadsMs.get(element) ?? Date.parse(element.dataset.clock) - Date.now());
    element.textContent = `${new Date(Date.now() + clockLeadsMs.get(element)).toISOString().slice(11, 16)} UTC`;
  }
}

function tick() {
  countDown();
  showTime();
}
tick();
setInterval(tick, 1000);

let stream;
let pendingUpdates = Promise.resolve();
/** Whether a form or a new page is being loaded, which an update of this page must not interrupt. */
let isLeaving = false;

function connect() {
  const { versions } = document.querySelector('main').dataset;
  if (!stream && !isLeaving && !document.hidden && versions) {
    stream = new EventSource(versions);
    stream.onmessage = ({ data }) => {
      pendingUpdates = pendingUpdates.then(() => catchUp(data)).catch(() => undefined);
    };
    stream.addEventListener('over', leave);
  }
}

function disconnect() {
  stream?.close();
  stream = undefined;
}

function leave() {
  isLeaving = true;
  disconnect();
}

/** Fetches the page again and replaces the shown content, without navigation, so that typed text is kept. */
async function catchUp(version) {
  if (version === document.querySelector('main').dataset.version) {
    return;
  }
  const answer = await fetch(location.href);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (isLeaving) {
    return;
  }
  const [shown, next] = [document.querySelector('main'), fresh.querySelector('main')];
  if (next.querySelector('form') && next.dataset.formTargets !== shown.dataset.formTargets) {
    // The security policy of a document limits where its forms may lead, so other forms need a new document.
    if (!fieldsOf(shown).some(isTyped)) {
      location.replace(location.href);
    }
    return;
  }
  replace(shown, document.adoptNode(next));
  document.title = fresh.title;
  tick();
  if (!next.dataset.versions) {
    disconnect();
  }
}

function replace(shown, next) {
  const focused = shown.contains(document.activeElement) ? document.activeElement : undefined;
  const sameAs = ({ id, dataset }) =>
    (id && next.querySelector(`#${CSS.escape(id)}`)) ||
    (dataset.testid && next.querySelector(`[data-testid="${CSS.escape(dataset.testid)}"]`));
  for (const field of fieldsOf(shown).filter((each) => each.id && isTyped(each))) {
    const same = sameAs(field);
    if (same) {
      same.value = field.value;
      same.checked = field.checked;
    }
  }
  const selection = focused && 'selectionStart' in focused ? [focused.selectionStart, focused.selectionEnd] : [null];
  const scrolled = shown.querySelector('.screen')?.scrollTop ?? 0;
  shown.replaceWith(next);
  next.querySelector('.screen')?.scrollTo(0, scrolled);
  if (focused) {
    const same = sameAs(focused) || next.querySelector('[role=status]');
    same?.focus();
    if (selection[0] !== null && 'setSelectionRange' in (same ?? {})) {
      same.setSelectionRange(...selection);
    }
  }
}

const fieldsOf = (element) => [...element.querySelectorAll('input:not([type=hidden]), select, textarea')];

/** Whether the user has changed a field. Forms that were refused contain the user's earlier input. */
function isTyped(field) {
  if (field.form && 'filled' in field.form.dataset) {
    return true;
  }
  return field.options
    ? [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

document.addEventListener('click', ({ target }) => {
  const key = target.closest('[data-key]');
  const field = key && document.getElementById(key.dataset.typesInto);
  if (field) {
    const isDelete = key.dataset.key === 'Delete';
    field.value = isDelete ? field.value.slice(0, -1) : `${field.value}${key.dataset.key}`.slice(0, field.maxLength);
  }
});

document.addEventListener('submit', leave);
addEventListener('beforeunload', leave);
addEventListener('pagehide', disconnect);
addEventListener('pageshow', () => {
  isLeaving = false;
  connect();
});
// Hidden pages disconnect, because a browser allows only a few connections to one host.
document.addEventListener('visibilitychange', () => (document.hidden ? disconnect() : connect()));
