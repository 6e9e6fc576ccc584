import { qrImage } from '../../../../base/qr-image.ts';
import { liveStreamOf } from '../../pages/live-stream.ts';
import { showOutcome } from '../../pages/outcome.tsx';
import { pathsOf } from '../../pages/paths.ts';
import type { PayerPage } from '../../pages/payer-page.tsx';
import { Summary } from '../../pages/payment-summary.tsx';
import { FlowIcon } from '../../pages/picture.tsx';
import { WORDS } from '../../pages/words.ts';
import type { PaymentVisit } from '../flow.ts';
import { approvalPath } from './paths.ts';

/** Seconds after which a page without scripts reloads, because the code may have been paid. */
const REFRESH_SECONDS = 5;

/** A payment's QR code, as a shop's screen shows it; after the decision, the outcome. */
export function showQrCode(visit: PaymentVisit): PayerPage {
  const { session, flow, payment, merchant, link } = visit;
  if (payment.state !== 'Processing') {
    return showOutcome(session, visit, payment.state);
  }
  const code = payment.paymentCode ?? '';
  return {
    title: WORDS.scanToPay,
    look: 'sides',
    live: liveStreamOf(session, 'payment', payment.id, [payment, link]),
    refresh: REFRESH_SECONDS,
    content: (
      <>
        <Summary payment={payment} merchant={merchant} session={session}>
          <dl class="facts">
            <dt>{WORDS.reference}</dt>
            <dd data-testid="reference">{payment.payerReference}</dd>
            <dt>{WORDS.paymentCode}</dt>
            <dd>
              <code data-testid="payment-code">{code}</code>
            </dd>
          </dl>
        </Summary>
        <div class="card scan">
          <h2>{WORDS.scanWithWallet}</h2>
          {/* The same image as in the merchant's answer, so that a phone opens the same address. */}
          <img
            src={`data:image/png;base64,${qrImage(session.addresses.to(approvalPath(code)))}`}
            alt={WORDS.paymentQr}
            width={300}
            height={300}
            data-testid="qr-code"
          />
          <a class="button second" href={pathsOf(session).to(approvalPath(code))} data-testid="open-wallet">
            <FlowIcon flow={flow} />
            {WORDS.openWalletHere}
          </a>
        </div>
      </>
    ),
  };
}
