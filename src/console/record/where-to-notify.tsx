import { pathOf } from '../address.ts';
import { Icon } from '../components/icon.tsx';
import { catchHere } from '../webhook-endpoints.ts';

/** Ways to add an endpoint, shown if the session has none. */
export function WhereToNotify({ isPrimary = false }: { isPrimary?: boolean }) {
  return (
    <>
      <button type="button" class={`button ${isPrimary ? 'primary' : ''}`} onClick={catchHere}>
        <Icon name="catch" />
        Catch here
      </button>
      <a class="button" href={pathOf('endpoints')}>
        Set an endpoint
      </a>
    </>
  );
}
