import { qrImage } from '../../domain/wire/qr-image.ts';
import type { Session } from '../../sessions/session.ts';
import { follow } from './live.ts';
import { showOutcome } from './outcome.tsx';
import type { Page } from './page.tsx';
import { pathsOf } from './paths.ts';
import { findOn } from './payments.ts';
import { Icon } from './picture.tsx';
import { Summary } from './summary.tsx';

/** Seconds after which a page without scripts looks whether the code was paid. */
const REFRESH = 5;

/** A payment's QR code, as a shop's screen shows it; then how the payment ended. */
export async function showQrCode(session: Session, paymentCode: string): Promise<Page> {
  const found = await findOn(session, 'qr-code', paymentCode);
  if ('content' in found) {
    return found;
  }
  const { payment, merchant, link } = found;
  if (payment.state !== 'Processing') {
    return showOutcome(session, found, payment.state);
  }
  const code = payment.paymentCode ?? '';
  return {
    title: 'Scan to pay',
    look: 'sides',
    live: follow(session, 'payment', payment.id, [payment, link]),
    refresh: REFRESH,
    content: (
      <>
        <Summary payment={payment} merchant={merchant} session={session}>
          <dl class="facts">
            <dt>Reference</dt>
            <dd data-testid="reference">{payment.payerReference}</dd>
            <dt>Payment code</dt>
            <dd>
              <code data-testid="payment-code">{code}</code>
            </dd>
          </dl>
        </Summary>
        <div class="card scan">
          <h2>Scan with your wallet to pay</h2>
          {/* The same image as in the merchant's answer: a phone opens the address that the merchant was given. */}
          <img
            src={`data:image/png;base64,${qrImage(session.addresses.approval(code))}`}
            alt="QR code that opens this payment in the wallet"
            width={300}
            height={300}
            data-testid="qr-code"
          />
          <a class="button second" href={pathsOf(session).approval(code)} data-testid="open-wallet">
            <Icon name="qr-code" />
            Open the wallet on this device
          </a>
        </div>
      </>
    ),
  };
}
