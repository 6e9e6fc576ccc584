import { baseAddress, pathOf } from '../../address.ts';
import { Code, Copy, Section } from '../../components/parts.tsx';
import { merchants } from '../../facts.ts';
import { CREDENTIALS, exampleCurl } from './first-call.ts';

/** What to do while there is nothing to show. */
export function FirstRun() {
  const isShipped = merchants.value.some(({ id }) => id === CREDENTIALS.merchantId);
  return (
    <div class="first-run" data-testid="first-run">
      <p class="first-title">Waiting for the first payment</p>
      <p>Point your integration at this address, or send a call from here. What it does appears here at once.</p>
      <Section title="Base address" level={2}>
        <p class="address large">
          <span>{baseAddress}</span>
          <Copy text={baseAddress} label="Copy the base address" />
        </p>
      </Section>
      {isShipped ? <FirstCall /> : null}
      <a class="button primary" href={pathOf('try')}>
        Try it here
      </a>
    </div>
  );
}

/** By the keys of the first merchant that is shipped; a user's fixtures may have others. */
function FirstCall() {
  return (
    <>
      <Section title="Test credentials" level={2}>
        <dl class="facts">
          {Object.entries(CREDENTIALS).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code> <Copy text={value} label={`Copy ${name}`} />
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="A payment on the QR wallet" level={2}>
        <Code text={exampleCurl()} label="Call" />
      </Section>
    </>
  );
}
