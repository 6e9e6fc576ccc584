import { render } from 'preact';
import { applyPreferences } from '../preferences.ts';
import { Search } from './search.tsx';

applyPreferences();

const root = document.getElementById('search');
const contents = document.getElementById('contents');
if (root && contents) {
  render(<Search contents={contents} />, root);
}
