import { pathOf } from '../address.ts';
import type { Part } from './part.ts';

/** Sentences with links in them. */
export function Sentence({ parts }: { parts: readonly Part[] }) {
  return (
    <p class="sentence" data-testid="sentence">
      {parts.map((part, index) => (
        <Text key={index} part={part} />
      ))}
    </p>
  );
}

function Text({ part }: { part: Part }) {
  if (typeof part === 'string') {
    return <>{part}</>;
  }
  const { text, screen, id, between: [before, after] = ['', ''] } = part;
  return (
    <>
      {before}
      {screen === undefined ? <bdi>{text}</bdi> : <a href={pathOf(screen, id)}>{text}</a>}
      {after}
    </>
  );
}
