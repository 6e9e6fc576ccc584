import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { pathOf } from '../../address.ts';
import { messageOf } from '../../api.ts';
import { useTitle } from '../../components/page.tsx';
import { LoadingOrProblem } from '../../components/parts.tsx';
import { GroupLinks } from '../../frame/group-links.tsx';
import { Composer } from './composer.tsx';
import { fetchOperations, type MerchantOperation } from './fetch-operations.ts';

const FIRST_OPERATION = 'initiatePayment';

export function Try() {
  const { params, query } = useRoute();
  const id = params['id'];
  const [operations, setOperations] = useState<readonly MerchantOperation[]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    fetchOperations().then(setOperations, (error) => setProblem(messageOf(error)));
  }, []);
  useTitle('Try it');
  const chosen = operations.find(({ name }) => name === (id ?? FIRST_OPERATION));
  return (
    <div class={`split ${id === undefined ? '' : 'open'}`} aria-busy={operations.length === 0 && problem === ''}>
      <h1 class="visually-hidden">Try it</h1>
      <section class="list" aria-label="Operations">
        <header class="list-head">
          <GroupLinks screen="try" />
        </header>
        <p class="list-words">
          <b>Try it:</b> choose a call of the merchant API, edit it, and send it as your integration would.
        </p>
        <div class="rows">
          <ol>
            {operations.map(({ name, summary, method, paths }) => (
              <li key={name}>
                <a
                  class="row tall"
                  href={pathOf('try', name)}
                  aria-current={name === chosen?.name ? 'true' : undefined}
                >
                  <span class="row-title">{summary}</span>
                  <span class="row-value method">{method}</span>
                  <code class="row-detail">{paths.sandbox}</code>
                </a>
              </li>
            ))}
          </ol>
        </div>
      </section>
      <section class="detail" aria-label="Call" tabIndex={-1}>
        {problem === '' ? null : <LoadingOrProblem problem={problem} />}
        {chosen === undefined ? null : (
          <div class="detail-content">
            <a class="back" href={pathOf('try')}>
              ‹ Operations
            </a>
            <Composer key={`${chosen.name} ${query['from']}`} operation={chosen} requestId={query['from']} />
          </div>
        )}
      </section>
    </div>
  );
}
