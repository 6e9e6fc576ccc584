import { render } from 'preact';
import { applyPreferences } from '../preferences.ts';
import { CopyCode } from './copy-code.tsx';
import { Search } from './search.tsx';

applyPreferences();

const root = document.getElementById('search');
const contents = document.getElementById('contents');
if (root && contents) {
  render(<Search contents={contents} />, root);
}
for (const place of document.querySelectorAll('.copy')) {
  render(<CopyCode text={place.parentElement?.querySelector('code')?.textContent ?? ''} />, place);
}

// Open if guide.css shows the list next to the text.
const fold = document.querySelector('.on-this-page details');
fold?.toggleAttribute('open', matchMedia('(min-width: 80rem)').matches);
