import { useState } from 'preact/hooks';
import type { LedgerCheck } from '../../../base/schema/generated/control.ts';
import { plural } from '../../../base/text/plural.ts';
import { apiAddress } from '../../address.ts';
import { Icon } from '../../components/icon.tsx';
import { Shape } from '../../components/state.tsx';
import { attempt } from '../../toasts.ts';

export function LedgerCheckButton() {
  const [check, setCheck] = useState<LedgerCheck>();
  const run = () => attempt(async () => setCheck(await fetchCheck()));
  return (
    <div class="ledger-check">
      <button type="button" class="button" onClick={run}>
        <Icon name="check" />
        Check against the records
      </button>
      <div role="status" data-testid="check">
        {check === undefined ? null : <Result check={check} />}
      </div>
    </div>
  );
}

/** If the check finds differences, the answer has status 500, but contains the result. */
async function fetchCheck(): Promise<LedgerCheck> {
  const answer = await fetch(new URL('ledger/check', apiAddress), { headers: { Accept: 'application/json' } });
  const body = await answer.json();
  if (!('balanced' in body)) {
    throw new Error(body.detail);
  }
  return body;
}

function Result({ check: { balanced, entries, records, accounts, differences, more = 0 } }: { check: LedgerCheck }) {
  if (balanced) {
    return (
      <p class="hint">
        <Shape tone="good" /> The ledger balances and agrees with the records: {plural(entries, 'entry', 'entries')} of{' '}
        {plural(records, 'record')}, on {plural(accounts, 'account')}.
      </p>
    );
  }
  const count = differences.length + more;
  return (
    <>
      <p class="hint">
        <Shape tone="bad" /> The ledger does not agree with the records in {plural(count, 'place')}.
      </p>
      <table class="books">
        <thead>
          <tr>
            <th>Where</th>
            <th>Expected</th>
            <th>Found</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ subject, expected, found }) => (
            <tr key={`${subject} ${expected}`}>
              <td>{subject}</td>
              <td>{expected}</td>
              <td>{found}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
