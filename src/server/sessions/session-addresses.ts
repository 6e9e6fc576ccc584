/** The addresses that a session's answers carry; they lead back into the same session. */
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
    return this.to(`/pay/link/${segment(token)}`);
  }

  image(imageId: string): string {
    return this.to(`/pay/images/${segment(imageId)}`);
  }

  /** A shop code's page to print; with .png or .svg behind it, the code alone. */
  shop(id: string): string {
    return this.to(`/pay/shop/${segment(id)}`);
  }

  scan(id: string): string {
    return this.to(`/pay/scan/${segment(id)}`);
  }
}

/** Session `default` lives at the bare base address, every other one behind `/s/{name}`. */
export function addressesOf(publicUrl: string, session: string): Addresses {
  return new Addresses(session === 'default' ? publicUrl : `${publicUrl}/s/${segment(session)}`);
}

/** A text as one segment of an address. Half a surrogate pair, which a merchant's reference may end in, has no encoding. */
export function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
