// Updates the page of an order when the order changes.
const events = new EventSource(`${location.pathname}/events`);
events.addEventListener('changed', async () => {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.title = page.title;
  for (const part of document.querySelectorAll('[data-part]')) {
    const now = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (now && now.innerHTML !== part.innerHTML) {
      part.replaceChildren(...now.childNodes);
      part.className = now.className;
    }
  }
});
