import { render } from 'preact';
import { Console } from './console.tsx';
import { followNextJob } from './frame/next-job.ts';
import { applyPreferences } from './preferences.ts';
import { followFacts } from './session-facts.ts';
import { startStream } from './stream.ts';

applyPreferences();
followFacts();
followNextJob();

// Made absolute, because a browser resolves a relative address again whenever the address of the page changes.
for (const icon of document.querySelectorAll<HTMLLinkElement>('link[rel=icon]')) {
  icon.href = new URL(icon.href).href;
}

const root = document.getElementById('console');
if (root) {
  startStream(root.dataset['worker'] ?? '');
  render(<Console />, root);
}
