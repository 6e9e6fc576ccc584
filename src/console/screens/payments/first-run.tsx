import { baseAddress, pathOf } from '../../address.ts';
import { Copy } from '../../components/parts.tsx';

/** Shown while there is no payment, with a link to the tour. */
export function FirstRun() {
  return (
    <div class="first-run" data-testid="first-run">
      <p class="first-title">Waiting for the first payment</p>
      <p>Point your integration at this address. Payments appear here as they arrive.</p>
      <p class="address large">
        <span>{baseAddress}</span>
        <Copy text={baseAddress} label="Copy the base address" />
      </p>
      <div class="button-row">
        <a class="button primary" href={pathOf('overview')}>
          Create one in the tour
        </a>
        <a class="button" href={pathOf('try')}>
          Try any call
        </a>
      </div>
    </div>
  );
}
