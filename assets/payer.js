// The pages work without this: it counts down, and keeps the pretend phone fresh.
for (const place of document.querySelectorAll('[data-remaining]')) {
  let left = Number(place.dataset.remaining);
  const show = () => {
    const minutes = Math.floor(left / 60);
    place.textContent = left > 0 ? `${minutes}:${String(left % 60).padStart(2, '0')}` : 'now';
  };
  show();
  if (place.dataset.running === 'true') {
    setInterval(() => {
      left = Math.max(0, left - 1);
      show();
    }, 1000);
  }
}
const phone = document.querySelector('[data-events]');
if (phone) {
  const events = new EventSource(phone.dataset.events);
  // A form that is on its way leads somewhere itself; looking again would cut it off.
  document.addEventListener('submit', () => events.close());
  events.addEventListener('changed', () => {
    // Whoever is typing a PIN must not lose it.
    if (!document.activeElement?.matches('input') || document.activeElement.value === '') {
      location.reload();
    }
  });
}
