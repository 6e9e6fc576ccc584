import { pathOf } from '../address.ts';
import { Icon } from '../components/icon.tsx';
import { catchHere } from '../webhook-endpoints.ts';

/** Ways to add an endpoint, shown if the session has none. */
export function AddEndpointButtons() {
  return (
    <>
      <button type="button" class="button" onClick={catchHere}>
        <Icon name="catch" />
        Catch here
      </button>
      <a class="button" href={pathOf('endpoints')}>
        Set an endpoint
      </a>
    </>
  );
}
