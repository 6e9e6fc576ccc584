import { useState } from 'preact/hooks';
import { isMembers } from '../../../base/members.ts';
import type { RequestExpectation, RequestView, Verification } from '../../../base/schema/generated/control.ts';
import { ask, messageOf } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Copy } from '../../components/parts.tsx';

/** Members that differ between runs, or are secrets, and are therefore omitted from expectations. */
const UNSTABLE = /^(merchantApiKey|merchantKey|token|password)$/;

/** A body without these members, except within lists, because a list only matches as a whole. */
function stableOf(value: unknown): unknown {
  if (!isMembers(value)) {
    return value;
  }
  const members = Object.entries(value).filter(([name]) => !UNSTABLE.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, stableOf(member)]));
}

function expectationOf({ operation, method, path, merchantId, body }: RequestView): RequestExpectation {
  const stable = stableOf(body);
  const hasBody = isMembers(stable) && Object.keys(stable).length > 0;
  return {
    match: {
      ...(operation === null ? { method, path } : { operation: operation as 'initiatePayment' }),
      ...(merchantId === null ? {} : { merchantId }),
      ...(hasBody ? { body: stable } : {}),
    },
    count: 1,
  };
}

export function Expectation({ request, onClose }: { request: RequestView; onClose(): void }) {
  const [text, setText] = useState(() => JSON.stringify(expectationOf(request), null, 2));
  const [result, setResult] = useState<{ isMet: boolean; words: string }>();
  const verify = async () => {
    try {
      const { matched } = await ask<Verification>('POST', 'requests/verify', { body: JSON.parse(text) });
      setResult({ isMet: true, words: `Met: ${matched} ${matched === 1 ? 'call matches' : 'calls match'}.` });
    } catch (error) {
      setResult({ isMet: false, words: messageOf(error) });
    }
  };
  return (
    <Dialog title="Check this call in a test" onClose={onClose}>
      <p class="hint">Passes if exactly one such call was received. Omit fields that change from run to run.</p>
      <textarea
        class="editor"
        rows={14}
        aria-label="Expectation"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {result === undefined ? null : (
        <p class={`why ${result.isMet ? 'good' : 'bad'}`} role="status">
          {result.words}
        </p>
      )}
      <div class="button-row">
        <button type="button" class="button primary" onClick={verify}>
          Verify now
        </button>
        <Copy text={`await session.verify(${text});`} label="Copy as code" hasLabel />
      </div>
    </Dialog>
  );
}
