import { useMemo, useState } from 'preact/hooks';
import { messageOf } from '../api.ts';
import { curlOf } from '../call/curl.ts';
import { JsonView } from '../components/json-view.tsx';
import { Code } from '../components/parts.tsx';
import { SelectField } from '../components/select-field.tsx';
import type { Body, DocumentedOperation, ExampleValue, Parameter } from './fetch-reference.ts';
import { type Answer, callOf, canTry, fetchToken, isForm, type TryItDraft, tryCall } from './try-call.ts';

/** Not shown, because the address of this page already names the session. */
const SESSION_HEADER = 'X-Sandbox-Session';

interface TryItProps {
  operation: DocumentedOperation;
  /** The operation that returns a token for credentials. */
  tokenOperation: DocumentedOperation | undefined;
}

export function TryIt({ operation, tokenOperation }: TryItProps) {
  const examples = [...(operation.body?.examples ?? operation.responses[0]?.body?.examples ?? [])];
  const [exampleName, setExampleName] = useState(examples[0]?.[0] ?? '');
  const [draft, setDraft] = useState<TryItDraft>(() => draftOf(operation, exampleName));
  const { answer, problem, isSending, sendDraft } = useSending(operation, tokenOperation, draft, setDraft);
  const choose = (chosen: string) => {
    setExampleName(chosen);
    setDraft({ ...draft, body: draftOf(operation, chosen).body });
  };
  return (
    <section class="try-it" aria-label="Try it">
      {examples.length > 1 ? <Examples examples={examples} chosen={exampleName} choose={choose} /> : null}
      {canTry(operation) ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void sendDraft();
          }}
        >
          <Inputs operation={operation} draft={draft} change={(part) => setDraft({ ...draft, ...part })} />
          <button type="submit" class="button primary" disabled={isSending}>
            Send
          </button>
        </form>
      ) : null}
      <p role="alert" class="bad-words">
        {problem}
      </p>
      {answer === undefined ? (
        <ExampleAnswer operation={operation} name={exampleName} />
      ) : (
        <ReceivedAnswer answer={answer} />
      )}
      {operation.path === undefined || isForm(operation) ? null : (
        <>
          <h3>As curl</h3>
          <Code text={curlOf(callOf(operation, draft))} label="curl command" isWrapped />
        </>
      )}
    </section>
  );
}

function useSending(
  operation: DocumentedOperation,
  tokenOperation: DocumentedOperation | undefined,
  draft: TryItDraft,
  setDraft: (draft: TryItDraft) => void,
) {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const sendDraft = async () => {
    setSending(true);
    setProblem('');
    try {
      const isTokenMissing = operation.needsToken && draft.token === '' && tokenOperation !== undefined;
      const completeDraft = isTokenMissing ? { ...draft, token: await fetchToken(tokenOperation) } : draft;
      setDraft(completeDraft);
      setAnswer(await tryCall(operation, completeDraft));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSending(false);
  };
  return { answer, problem, isSending, sendDraft };
}

function draftOf({ parameters, body }: DocumentedOperation, example: string): TryItDraft {
  const needed = parameters.filter(({ required, in: place }) => required && place !== 'header');
  return {
    parameters: Object.fromEntries(needed.map((each) => [each.name, exampleOf(each)])),
    body:
      body === undefined ? '' : JSON.stringify(withoutFiles(body, body.examples.get(example)?.value ?? {}), null, 2),
    files: {},
    token: '',
  };
}

function exampleOf({ example, schema }: Parameter): string {
  const value = example ?? schema.example;
  return value === undefined ? '' : String(value);
}

function filesOf(body: Body | undefined): string[] {
  const fields = Object.entries(body?.schema.properties ?? {});
  return fields.filter(([, { format }]) => format === 'binary').map(([name]) => name);
}

function withoutFiles(body: Body, value: unknown): unknown {
  const files = filesOf(body);
  return files.length === 0 || typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(Object.entries(value).filter(([name]) => !files.includes(name)));
}

interface ExamplesProps {
  examples: readonly [name: string, example: ExampleValue][];
  chosen: string;
  choose(name: string): void;
}

function Examples({ examples, chosen, choose }: ExamplesProps) {
  return (
    <SelectField
      label="Example"
      labelClass="labelled"
      value={chosen}
      options={examples.map(([name, { summary = name }]) => [name, summary])}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}

interface InputsProps {
  operation: DocumentedOperation;
  draft: TryItDraft;
  change(part: Partial<TryItDraft>): void;
}

function Inputs({ operation, draft, change }: InputsProps) {
  const shown = operation.parameters.filter(({ name }) => name !== SESSION_HEADER);
  const input = (parameter: Parameter) => (
    <label key={parameter.name} class="labelled">
      {parameter.name}
      <input
        value={draft.parameters[parameter.name] ?? ''}
        placeholder={exampleOf(parameter)}
        spellcheck={false}
        onInput={(event) =>
          change({ parameters: { ...draft.parameters, [parameter.name]: event.currentTarget.value } })
        }
      />
    </label>
  );
  const optional = shown.filter(({ required }) => !required);
  return (
    <>
      {operation.needsToken ? (
        <label class="labelled">
          Token
          <input
            value={draft.token}
            placeholder="If empty, a token is fetched for the test merchant"
            spellcheck={false}
            onInput={(event) => change({ token: event.currentTarget.value })}
          />
        </label>
      ) : null}
      {shown.filter(({ required }) => required).map(input)}
      {optional.length === 0 ? null : (
        <details>
          <summary>Optional parameters</summary>
          {optional.map(input)}
        </details>
      )}
      <BodyInput body={operation.body} draft={draft} change={change} />
    </>
  );
}

function BodyInput({ body, draft, change }: Pick<InputsProps, 'draft' | 'change'> & { body: Body | undefined }) {
  const lines = useMemo(() => Math.min(draft.body.split('\n').length + 1, 24), [draft.body]);
  if (body === undefined) {
    return null;
  }
  const files = filesOf(body);
  return (
    <>
      <label class="labelled">
        {files.length === 0 ? 'Request body' : 'Fields of the form, as JSON'}
        <textarea
          class="editor"
          rows={lines}
          spellcheck={false}
          value={draft.body}
          onInput={(event) => change({ body: event.currentTarget.value })}
        />
      </label>
      {files.map((name) => (
        <label key={name} class="labelled">
          {name}
          <input
            type="file"
            onChange={(event) => {
              const { [name]: _, ...others } = draft.files;
              const [file] = event.currentTarget.files ?? [];
              change({ files: file === undefined ? others : { ...others, [name]: file } });
            }}
          />
        </label>
      ))}
    </>
  );
}

/** The documented answer to the chosen example, shown before a call is sent. */
function ExampleAnswer({ operation, name }: { operation: DocumentedOperation; name: string }) {
  // This page cannot send a notification, so the example is the notification itself.
  const { examples } = (operation.path === undefined ? operation.body : operation.responses[0]?.body) ?? {};
  const example = examples?.get(name) ?? [...(examples?.values() ?? [])][0];
  return example === undefined ? null : (
    <>
      <h3>{operation.path === undefined ? 'Example' : 'Example response'}</h3>
      <ResponseContent value={example.value} text={String(example.value)} />
    </>
  );
}

function ReceivedAnswer({ answer: { status, milliseconds, mediaType, text, value } }: { answer: Answer }) {
  return (
    <>
      <h3 role="status">
        <span class={`state ${status < 400 ? 'good' : 'bad'}`} data-testid="answer-status">
          {status}
        </span>{' '}
        <span class="quiet">
          {milliseconds} ms, {mediaType.replace(/;.*/, '') || 'no content'}
        </span>
      </h3>
      {text === '' ? null : <ResponseContent value={value} text={text} />}
    </>
  );
}

function ResponseContent({ value, text }: { value: unknown; text: string }) {
  return typeof value === 'object' && value !== null ? (
    <JsonView value={value} label="Response" />
  ) : (
    <Code text={text} label="Response" isWrapped />
  );
}
