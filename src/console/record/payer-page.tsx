import { Icon } from '../components/icon.tsx';
import { Copy } from '../components/parts.tsx';
import { QrCode } from '../screens/payments/qr-code.tsx';

interface PayerPageProps {
  /** The text that a payer scans or opens, which can be copied. */
  text: string;
  /** The page that the button opens. */
  url: string;
  label: string;
  copyLabel?: string;
  hasQrCode?: boolean;
}

/** A link to a page for the payer, as a button, a text and a QR code. */
export function PayerPage({ text, url, label, copyLabel = 'Copy the address', hasQrCode = true }: PayerPageProps) {
  return (
    <div class="payer-page">
      {hasQrCode ? <QrCode text={text} /> : null}
      <div>
        <a class="button" href={url} target="_blank" rel="noreferrer">
          <Icon name="out" />
          {label}
        </a>
        <p class="address">
          <span>{text}</span>
          <Copy text={text} label={copyLabel} />
        </p>
      </div>
    </div>
  );
}
