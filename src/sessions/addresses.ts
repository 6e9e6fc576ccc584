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
export class Addresses {
  /** Base address of this session, without a trailing slash. */
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  /** Card checkout; `<checkout base>?paymentCode=<paymentId>`. */
  checkout(paymentId: string): string {
    return `${this.base}${PAYER_PATHS.checkout}?paymentCode=${segment(paymentId)}`;
  }

  /** What a QR code opens. */
  approval(paymentCode: string): string {
    return this.#page('approval', paymentCode);
  }

  /** A payment's QR code to scan. */
  qr(paymentCode: string): string {
    return this.#page('qr', paymentCode);
  }

  link(token: string): string {
    return this.#page('link', token);
  }

  image(imageId: string): string {
    return this.#page('image', imageId);
  }

  phone(mobile: string): string {
    return this.#page('phone', mobile);
  }

  /** A shop code's page to print; with .png or .svg behind it, the code alone. */
  shop(id: string): string {
    return this.#page('shop', id);
  }

  /** What a shop code opens. */
  scan(id: string): string {
    return this.#page('scan', id);
  }

  #page(kind: keyof typeof PAYER_PATHS, name: string): string {
    return `${this.base}${PAYER_PATHS[kind]}/${segment(name)}`;
  }
}

/** Session `default` lives at the bare base address, every other one behind `/s/{name}`. */
export function addressesOf(publicUrl: string, session: string): Addresses {
  return new Addresses(session === 'default' ? publicUrl : `${publicUrl}/s/${session}`);
}

/** A text as one segment of an address. Half a surrogate pair, which a merchant's reference may end in, has no encoding. */
function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
