import { type LinkImage, saveLink, whyInactive } from '../../domain/payment-links.ts';
import { toMinorUnits } from '../../money.ts';
import { Refusal, refuseFindings } from '../../refusal.ts';
import type { PaymentLinkRequest } from '../../schema/requests.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { linkAnswer } from '../../wire/payment-link.ts';
import { messageOf } from '../messages.ts';
import { type Call, merchantOf, type Outcome } from '../operation.ts';
import { imageKind } from '../request-body/image.ts';

/** The link's parts; the image carries its bytes beside what the schema says of it. */
type Body = Omit<PaymentLinkRequest, 'paymentLinkImage'> & { paymentLinkImage?: { bytes: Buffer } | string };

/** Creates a payment link, or updates one by id. Source: INTERFACE.md, "Payment link (fast checkout)". */
export async function saveFastCheckout(call: Call<Body>, transaction: Transaction): Promise<Outcome> {
  const { body, environment } = call;
  const isUpdate = body.id !== '';
  if (!isUpdate && body.paymentLinkImageType === 'UPDATE') {
    throw new Refusal(
      'business-rule',
      'paymentLinkImageType UPDATE needs the id of a link; a new link takes NEW or NONE',
    );
  }
  const link = await saveLink(transaction, merchantOf(call), {
    id: body.id,
    environment,
    name: body.paymentLinkName,
    description: body.paymentLinkDescription,
    reference: body.paymentLinkReference,
    amount: toMinorUnits(body.paymentLinkAmount),
    type: body.paymentLinkType,
    profileId: body.paymentLinkProfileId,
    startDate: body.paymentLinkStartDate,
    endDate: body.paymentLinkEndDate,
    currency: body.paymentLinkCurrency,
    currencyId: body.paymentLinkCurrencyId,
    otherCurrencies: body.paymentLinkOtherCurrencies === 'true',
    successUrl: body.paymentLinkCustomerRedirectUrl,
    failureUrl: body.paymentCustomerFailRedirectUrl,
    email: body.paymentLinkEmail,
    payer: {
      fullNames: body.paymentPayerFullNames,
      emailAddress: body.paymentPayerEmailAddress,
      address: body.paymentPayerAddress,
      mobile: body.paymentPayerMobile,
    },
    imageAction: body.paymentLinkImageType,
    image: imageOf(body),
  });
  const isActive = whyInactive(link, transaction.now, transaction.fixtures.times.localOffset) === null;
  const paymentLink = linkAnswer(link, isActive, transaction);
  const message = messageOf(call, isUpdate ? 'updated' : 'created', { imageUrl: paymentLink.paymentLinkImageUrl });
  return { answer: { status: 'Success', paymentLink, message, ...call.plan.respond.members } };
}

/** The image by what its bytes are, not by what it is called. A lenient text part is no image. */
function imageOf({ paymentLinkImage: part, paymentLinkImageType: action }: Body): LinkImage | null {
  if (action === 'NONE' || part === undefined || typeof part === 'string') {
    return null;
  }
  const mediaType = imageKind(part.bytes);
  if (mediaType === null) {
    const expected = 'an image whose content is PNG, JPEG, GIF or WebP';
    const received = `${part.bytes.length} bytes that are none of these`;
    throw refuseFindings([{ path: '$.paymentLinkImage', expected, received, severity: 'error' }]);
  }
  return { mediaType, base64: part.bytes.toString('base64') };
}
