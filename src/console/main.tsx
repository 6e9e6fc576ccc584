import { render } from 'preact';
import { Console } from './console.tsx';
import { followFacts } from './facts.ts';
import { applyPreferences } from './preferences.ts';
import { startStream } from './stream.ts';

applyPreferences();
followFacts();
startStream();

const root = document.getElementById('console');
if (root) {
  render(<Console />, root);
}
