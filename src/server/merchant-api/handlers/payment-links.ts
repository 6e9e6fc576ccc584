import { toMinorUnits } from '../../../base/money.ts';
import type { PaymentLinkRequest } from '../../../base/schema/generated/requests.ts';
import { inTermsOf } from '../../domain/broken-rules.ts';
import { inactiveReason, type LinkImage, saveLink } from '../../domain/payment-links/payment-links.ts';
import { linkAnswer } from '../../domain/wire/link-answer.ts';
import type { Transaction } from '../../sessions/transaction.ts';
import { type Call, type HandlerResult, merchantOf, operationMessage } from '../operation.ts';
import { imageMediaType } from '../request-body/image.ts';

/** The parts of the form. The image has bytes, in addition to the members of its schema. */
type Body = Omit<PaymentLinkRequest, 'paymentLinkImage'> & { paymentLinkImage?: { bytes: Buffer } | string };

/** The request's name for each checked member of a link, for refusals. */
const NAMES = {
  currency: 'paymentLinkCurrency',
  currencyId: 'paymentLinkCurrencyId',
  profileId: 'paymentLinkProfileId',
  startDate: 'paymentLinkStartDate',
  endDate: 'paymentLinkEndDate',
  imageAction: 'paymentLinkImageType',
};

/** Creates a payment link, or updates one by id. Source: INTERFACE.md, "Payment link (fast checkout)". */
export function saveFastCheckout(call: Call<Body>, transaction: Transaction): HandlerResult {
  const { body, environment } = call;
  const isUpdate = body.id !== '';
  const save = () =>
    saveLink(transaction, merchantOf(call), {
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
  const link = inTermsOf(body, NAMES, save);
  const isActive = inactiveReason(link, transaction.now, transaction.fixtures.times.localOffset) === null;
  const paymentLink = linkAnswer(link, isActive, transaction);
  const message = operationMessage(call, isUpdate ? 'updated' : 'created', {
    imageUrl: paymentLink.paymentLinkImageUrl,
  });
  return { answer: { status: 'Success', paymentLink, message, ...call.plan.respond.members } };
}

/** The image, recognised by its bytes instead of its name. A text part, which lenient mode accepts, is not an image. */
function imageOf({ paymentLinkImage: part, paymentLinkImageType: action }: Body): LinkImage | null {
  if (action === 'NONE' || part === undefined || typeof part === 'string') {
    return null;
  }
  const mediaType = imageMediaType(part.bytes);
  return mediaType && { mediaType, base64: part.bytes.toString('base64') };
}
