import { useEffect, useState } from 'preact/hooks';

interface QrMatrix {
  size: number;
  path: string;
}

/** A QR code for a real phone. The script that draws it is fetched with the first code. */
export function QrCode({ text }: { text: string }) {
  const [matrix, setMatrix] = useState<QrMatrix>();
  useEffect(() => {
    let isCancelled = false;
    void import('qrcode').then(({ default: { create } }) => {
      const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
      const dark = [...data].flatMap((bit, index) =>
        bit ? [`M${index % size} ${Math.floor(index / size)}h1v1h-1z`] : [],
      );
      isCancelled || setMatrix({ size, path: dark.join('') });
    });
    return () => {
      isCancelled = true;
    };
  }, [text]);
  const { size, path } = matrix ?? { size: 1, path: '' };
  return (
    <svg
      class="qr"
      viewBox={`-2 -2 ${size + 4} ${size + 4}`}
      role="img"
      aria-label="QR code to scan with a phone"
      data-testid="qr"
    >
      <rect x="-2" y="-2" width={size + 4} height={size + 4} rx="1.5" fill="#fff" />
      <path d={path} fill="#111" shape-rendering="crispEdges" />
    </svg>
  );
}
