import { render } from 'preact';
import { messageOf } from '../api.ts';
import { applyPreferences } from '../preferences.ts';
import { fetchReference } from './fetch-reference.ts';
import { ReferencePage } from './reference-page.tsx';

applyPreferences();

const root = document.getElementById('reference');
if (root) {
  fetchReference().then(
    (reference) => render(<ReferencePage reference={reference} />, root),
    (error: unknown) => render(<p role="alert">{messageOf(error)}</p>, root),
  );
}
