import { toDecimalNumber } from '../../../base/money.ts';
import type { PaymentLink } from '../../../base/schema/generated/records.ts';
import { formatUtc, formatWithOffset, startOfDay } from '../../../base/time.ts';
import type { Fixtures } from '../../config/fixtures.ts';
import type { Addresses } from '../../sessions/session-addresses.ts';

/** Source: INTERFACE.md, "Payment link"; key order as there. */
export function linkAnswer(
  link: PaymentLink,
  isActive: boolean,
  { fixtures, addresses }: { fixtures: Fixtures; addresses: Addresses },
) {
  const { localOffset } = fixtures.times;
  const day = (date: string) => formatWithOffset(startOfDay(date, localOffset), localOffset);
  return {
    paymentProfileName: link.name,
    paymentProfileDescription: link.description,
    paymentLinkReference: link.reference,
    paymentLinkUrl: addresses.link(link.token),
    paymentLinkAmount: toDecimalNumber(link.amount),
    paymentLinkType: link.type,
    paymentLinkToken: link.token,
    paymentLinkImageUrl: link.imageId === null ? '' : addresses.image(link.imageId),
    paymentLinkStartDate: day(link.startDate),
    paymentLinkEndDate: day(link.endDate),
    paymentLinkIsActive: isActive,
    createdAt: formatUtc(link.createdAt),
    id: Number(link.id),
  };
}
