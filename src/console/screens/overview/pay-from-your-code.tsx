import { baseAddress } from '../../address.ts';
import { Code, Copy, Section } from '../../components/parts.tsx';
import { EXAMPLE_CREDENTIALS, exampleCurl } from './example-call.ts';

/** The address and credentials with which an integration makes the first payment itself. */
export function PayFromYourCode({ hasExample }: { hasExample: boolean }) {
  return (
    <div class="by-yourself">
      <div>
        <Section title="Or from your own code: the base address" level={3}>
          <p class="address large">
            <span>{baseAddress}</span>
            <Copy text={baseAddress} label="Copy the base address" />
          </p>
        </Section>
        {hasExample ? (
          <Section title="Test credentials">
            <dl class="facts">
              {Object.entries(EXAMPLE_CREDENTIALS).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <code>{value}</code> <Copy text={value} label={`Copy ${name}`} />
                  </dd>
                </div>
              ))}
            </dl>
          </Section>
        ) : null}
      </div>
      {hasExample ? (
        <Section title="Or from a terminal: a payment on the QR wallet">
          <Code text={exampleCurl()} label="Call" />
        </Section>
      ) : null}
    </div>
  );
}
