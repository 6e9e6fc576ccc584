import { serveTab } from './stream-hub.ts';

// A shared worker: one for all tabs that show the same session.
addEventListener('connect', (event) => {
  const [tab] = (event as MessageEvent).ports;
  if (tab) {
    serveTab(tab);
  }
});
