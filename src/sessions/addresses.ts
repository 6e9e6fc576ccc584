/** Where each of the payer's pages stands, below a session's base address. Source: ours. */
export const PAYER_PATHS = {
  checkout: '/pay/checkout',
  approval: '/pay/approve',
  qr: '/pay/qr',
  link: '/pay/link',
  phone: '/pay/phone',
  image: '/pay/images',
  shop: '/pay/shop',
  scan: '/pay/scan',
} as const;

/** The addresses that a session's answers carry; they lead back into the same session. */
export interface Addresses {
  /** Base address of this session, without a trailing slash. */
  base: string;
  /** Card checkout; `<checkout base>?paymentCode=<paymentId>`. */
  checkout(paymentId: string): string;
  /** What a QR code opens. */
  approval(paymentCode: string): string;
  /** A payment's QR code to scan. */
  qr(paymentCode: string): string;
  link(token: string): string;
  image(imageId: string): string;
  phone(mobile: string): string;
  /** A shop code's page to print; with .png or .svg behind it, the code alone. */
  shop(id: string): string;
  /** What a shop code opens. */
  scan(id: string): string;
}

/** Session `default` lives at the bare base address, every other one behind `/s/{name}`. */
export function addressesOf(publicUrl: string, session: string): Addresses {
  const base = session === 'default' ? publicUrl : `${publicUrl}/s/${session}`;
  return {
    base,
    checkout: (paymentId) => `${base}${PAYER_PATHS.checkout}?paymentCode=${segment(paymentId)}`,
    approval: (paymentCode) => `${base}${PAYER_PATHS.approval}/${segment(paymentCode)}`,
    qr: (paymentCode) => `${base}${PAYER_PATHS.qr}/${segment(paymentCode)}`,
    link: (token) => `${base}${PAYER_PATHS.link}/${segment(token)}`,
    image: (imageId) => `${base}${PAYER_PATHS.image}/${segment(imageId)}`,
    phone: (mobile) => `${base}${PAYER_PATHS.phone}/${segment(mobile)}`,
    shop: (id) => `${base}${PAYER_PATHS.shop}/${segment(id)}`,
    scan: (id) => `${base}${PAYER_PATHS.scan}/${segment(id)}`,
  };
}

/** A text as one segment of an address. Half a surrogate pair, which a merchant's reference may end in, has no encoding. */
function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
