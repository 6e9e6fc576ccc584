import type { SentencePart } from '../../base/schema/generated/control.ts';
import { lengthInWords } from '../../base/text/words.ts';
import { pathOfRecord } from '../path-of-record.ts';
import { now } from '../session-facts.ts';

/** Sentences with links and a countdown to the next change. */
export function Sentence({ parts }: { parts: readonly SentencePart[] }) {
  return (
    <p class="sentence" data-testid="sentence">
      {parts.map((part, index) => (
        <Text key={index} part={part} />
      ))}
    </p>
  );
}

/** A text from a user may be written from right to left, so it is isolated from the text around it. */
function Text({ part: { text, collection, id, until } }: { part: SentencePart }) {
  const path = pathOfRecord(collection ?? null, id ?? null);
  if (path !== undefined) {
    return <a href={path}>{text}</a>;
  }
  return <bdi>{until === undefined ? text : lengthInWords(Date.parse(until) - now.value)}</bdi>;
}
