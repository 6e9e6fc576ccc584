// The pages work without this: it counts down, types what the phone's keypad says, and shows what happens to a payment elsewhere.

/** Each countdown with the moment that it runs out, by this browser's clock. */
const ends = new WeakMap();

function countDown() {
  for (const place of document.querySelectorAll('[data-remaining][data-running=true]')) {
    ends.set(place, ends.get(place) ?? Date.now() + Number(place.dataset.remaining) * 1000);
    const left = Math.ceil((ends.get(place) - Date.now()) / 1000);
    const minutes = Math.floor(left / 60);
    place.textContent = left > 0 ? `${minutes}:${String(left % 60).padStart(2, '0')}` : 'a moment';
  }
}

/** Each phone's clock with how far it is ahead of this browser's. */
const leads = new WeakMap();

function showTime() {
  for (const place of document.querySelectorAll('[data-clock][data-running=true]')) {
    leads.set(place, leads.get(place) ?? Date.parse(place.dataset.clock) - Date.now());
    place.textContent = `${new Date(Date.now() + leads.get(place)).toISOString().slice(11, 16)} UTC`;
  }
}

function tick() {
  countDown();
  showTime();
}
tick();
setInterval(tick, 1000);

let stream;
let turn = Promise.resolve();
/** A form is on its way, or the browser is on its way to another page: nothing may come between. */
let isLeaving = false;

function follow() {
  const { versions } = document.querySelector('main').dataset;
  if (!stream && !isLeaving && !document.hidden && versions) {
    stream = new EventSource(versions);
    stream.onmessage = ({ data }) => {
      turn = turn.then(() => catchUp(data)).catch(() => undefined);
    };
    stream.addEventListener('over', leave);
  }
}

function rest() {
  stream?.close();
  stream = undefined;
}

function leave() {
  isLeaving = true;
  rest();
}

/** Asks for the page again and puts its content in place of this one's: no navigation, and what was typed stays. */
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
    // A document's policy cannot change, and the new forms may lead elsewhere. Later, if something has been typed.
    if (!fieldsOf(shown).some(isTyped)) {
      location.replace(location.href);
    }
    return;
  }
  replace(shown, document.adoptNode(next));
  document.title = fresh.title;
  tick();
  if (!next.dataset.versions) {
    rest();
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

const fieldsOf = (place) => [...place.querySelectorAll('input:not([type=hidden]), select, textarea')];

/** What differs from what the page came with, and everything in a form that came back to be corrected. */
function isTyped(field) {
  if (field.form && 'filled' in field.form.dataset) {
    return true;
  }
  return field.options
    ? [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
    : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

/** The phone's keypad. */
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
addEventListener('pagehide', rest);
addEventListener('pageshow', () => {
  isLeaving = false;
  follow();
});
// A browser allows few connections to one host, so that pages nobody sees keep none.
document.addEventListener('visibilitychange', () => (document.hidden ? rest() : follow()));
