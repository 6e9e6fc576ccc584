/** A text of the document: paragraphs, and what is code in them. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split(/\n\n+/).map((paragraph) => (
        <p key={paragraph}>
          <Words text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** The same in a line. */
export function Words({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
