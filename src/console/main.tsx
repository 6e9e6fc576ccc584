import { render } from 'preact';
import { Console } from './console.tsx';
import { followFacts } from './facts.ts';
import { applyPreferences } from './preferences.ts';
import { startStream } from './stream.ts';

applyPreferences();
followFacts();

const root = document.getElementById('console');
if (root) {
  startStream(root.dataset['worker'] ?? '');
  render(<Console />, root);
}
