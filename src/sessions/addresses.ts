/** Where each of the payer's pages stands, below a session's base address. Source: ours. */
export const PAYER_PATHS = {
  checkout: '/pay/checkout',
  approval: '/pay/approve',
  link: '/pay/link',
  phone: '/pay/phone',
  image: '/pay/images',
} as const;

/** The addresses that a session's answers carry; they lead back into the same session. */
export interface Addresses {
  /** Base address of this session, without a trailing slash. */
  base: string;
  /** Card checkout; `<checkout base>?paymentCode=<paymentId>`. */
  checkout(paymentId: string): string;
  /** What a QR code opens. */
  approval(paymentCode: string): string;
  link(token: string): string;
  image(imageId: string): string;
  phone(mobile: string): string;
}

/** Session `default` lives at the bare base address, every other one behind `/s/{name}`. */
export function addressesOf(publicUrl: string, session: string): Addresses {
  const base = session === 'default' ? publicUrl : `${publicUrl}/s/${session}`;
  return {
    base,
    checkout: (paymentId) => `${base}${PAYER_PATHS.checkout}?paymentCode=${encodeURIComponent(paymentId)}`,
    approval: (paymentCode) => `${base}${PAYER_PATHS.approval}/${encodeURIComponent(paymentCode)}`,
    link: (token) => `${base}${PAYER_PATHS.link}/${encodeURIComponent(token)}`,
    image: (imageId) => `${base}${PAYER_PATHS.image}/${encodeURIComponent(imageId)}`,
    phone: (mobile) => `${base}${PAYER_PATHS.phone}/${encodeURIComponent(mobile)}`,
  };
}
