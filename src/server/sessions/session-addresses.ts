/** The addresses in a session's answers. */
export class Addresses {
  /** Base address of this session, without a trailing slash. */
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  to(path: string): string {
    return `${this.base}${path}`;
  }

  link(token: string): string {
    return this.to(`/pay/link/${encodeSegment(token)}`);
  }

  image(imageId: string): string {
    return this.to(`/pay/images/${encodeSegment(imageId)}`);
  }

  /** The printable page of a shop code; with the suffix .png or .svg, only the code. */
  shop(id: string): string {
    return this.to(`/pay/shop/${encodeSegment(id)}`);
  }

  scan(id: string): string {
    return this.to(`/pay/scan/${encodeSegment(id)}`);
  }
}

/** The addresses of session `default` are directly below the base address, those of other sessions below `/s/{name}`. */
export function addressesOf(publicUrl: string, session: string): Addresses {
  return new Addresses(session === 'default' ? publicUrl : `${publicUrl}/s/${encodeSegment(session)}`);
}

/** A text as one segment of an address. Replaces a lone surrogate, with which a merchant's reference may end: it cannot be encoded. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
