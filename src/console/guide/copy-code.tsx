import { useState } from 'preact/hooks';
import { copyText } from '../copy-text.ts';

export function CopyCode({ text }: { text: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await copyText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return (
    <>
      <span role="status">{isDone ? 'Copied' : ''}</span>
      <button type="button" class="button" aria-label="Copy the code" onClick={copy}>
        Copy
      </button>
    </>
  );
}
