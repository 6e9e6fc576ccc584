import type { ShownDelivery, ShownEndpoint, ShownList } from './shown.ts';

/** The client's methods under their earlier, deprecated names. */
export abstract class EarlierNames {
  abstract resume(endpoint: string): Promise<{ endpoints: ShownEndpoint[] }>;
  abstract resend(delivery: string): Promise<ShownDelivery>;
  abstract resendFailed(): Promise<ShownList<ShownDelivery>>;

  /** @deprecated Use `resume`. */
  resumeEndpoint(endpoint: string): Promise<{ endpoints: ShownEndpoint[] }> {
    return this.resume(endpoint);
  }

  /** @deprecated Use `resend`. */
  replay(delivery: string): Promise<ShownDelivery> {
    return this.resend(delivery);
  }

  /** @deprecated Use `resendFailed`. */
  replayFailed(): Promise<ShownList<ShownDelivery>> {
    return this.resendFailed();
  }
}
