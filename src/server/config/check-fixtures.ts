import { isZone } from '../../base/calendar.ts';
import { errorFinding, type Finding } from '../../base/refusal.ts';
import { memberPath } from '../../base/schema/json-path.ts';
import { checkAnswerTemplate, checkRecordedAnswer } from './check-answer.ts';
import { checkChargebackCurrencies, checkChargebackFees, checkCurrencies, checkFeeRows } from './check-money.ts';
import { checkName } from './check-name.ts';
import { checkPaymentStates } from './check-payment-states.ts';
import { checkPayouts } from './check-payouts.ts';
import type { FixtureFiles } from './fixture-files.ts';
import { checkTemplate } from './template.ts';

/** A finding in a fixture after the user's file was merged over the shipped one. */
export interface FileFinding extends Finding {
  fixture: keyof FixtureFiles;
  /** A mistake only if the user wrote the entry. A shipped entry, such as a fee in a currency that the user dropped, has no effect. */
  isIgnoredIfShipped?: true;
}

/** Checks of one file that fits its schema. */
const FILE_CHECKS: { [Name in keyof FixtureFiles]?: (fixture: FixtureFiles[Name]) => Finding[] | Promise<Finding[]> } =
  {
    channels: async ({ channels }) => {
      const answerFindings = channels.flatMap((channel, index) =>
        Object.entries(channel.answers).map(([name, template]) => {
          const path = memberPath(`$.channels[${index}].answers`, name);
          return checkAnswerTemplate(template, path, channel.testMode !== undefined);
        }),
      );
      const recordedFindings = channels.flatMap(({ recordedAnswers = {} }, index) =>
        Object.entries(recordedAnswers).flatMap(([name, template]) =>
          checkRecordedAnswer(template, memberPath(`$.channels[${index}].recordedAnswers`, name)),
        ),
      );
      return [...(await Promise.all(answerFindings)).flat(), ...recordedFindings];
    },
    errors: ({ envelopes }) => checkTemplate(envelopes, '$.envelopes', ['message', 'status']),
    webhookSamples: ({ samples }) => checkTemplate(samples, '$.samples', ['now']),
    shopCodes: ({ paymentReference }) => checkTemplate(paymentReference, '$.paymentReference', ['code', 'sequence']),
    settlement: checkSettlement,
    merchants: ({ newcomer }) => checkTemplate(newcomer.name, '$.newcomer.name', ['merchantId']),
    ledger: checkLedger,
    paymentStates: checkPaymentStates,
    payouts: checkPayouts,
    currencies: checkCurrencies,
    fees: checkFeeRows,
    adjustments: checkChargebackFees,
  };

function checkLedger({ payoutDebit, payoutFunds }: FixtureFiles['ledger']): Finding[] {
  const expected = 'unlimited if payoutDebit is bank, because the balance of a bank account is unknown';
  return payoutDebit === 'bank' && payoutFunds === 'enforced'
    ? [errorFinding('$.payoutFunds', expected, JSON.stringify(payoutFunds))]
    : [];
}

function checkSettlement({ zone, account }: FixtureFiles['settlement']): Finding[] {
  const isValid = zone === undefined || isZone(zone);
  const expected = 'an IANA time zone, or an offset such as +02:00';
  return [
    ...(isValid ? [] : [errorFinding('$.zone', expected, JSON.stringify(zone))]),
    ...checkTemplate(account, '$.account', ['merchantId']),
  ];
}

export async function checkFile(name: keyof FixtureFiles, files: FixtureFiles): Promise<Finding[]> {
  const check = FILE_CHECKS[name] as ((fixture: unknown) => Finding[] | Promise<Finding[]>) | undefined;
  return (await check?.(files[name])) ?? [];
}

/** Contradictions between files, each of which fits its schema. */
export function checkAcrossFiles(files: FixtureFiles): FileFinding[] {
  const chargebacks = checkChargebackCurrencies(files.adjustments, files.currencies);
  return [
    ...checkWalletNames(files),
    ...checkChannelIds(files),
    ...checkFees(files),
    ...checkPayerLimits(files),
    ...inFile('adjustments', chargebacks).map((finding) => ({ ...finding, isIgnoredIfShipped: true as const })),
  ];
}

function checkWalletNames({ channels: { channels } }: FixtureFiles): FileFinding[] {
  const walletNames = channels.flatMap(({ id, names }, index) =>
    names.map((name, position) => ({ id, name, path: `$.channels[${index}].names[${position}]` })),
  );
  return walletNames.flatMap(({ id, name, path }) => {
    const other = walletNames.find((each) => each.id !== id && each.name.toLowerCase() === name.toLowerCase());
    const received = `${JSON.stringify(name)}, which is a name of ${other?.id}`;
    return other ? [{ fixture: 'channels', ...errorFinding(path, 'a name that no other channel has', received) }] : [];
  });
}

function checkChannelIds({ channels, fees, testCards, payerLimits }: FixtureFiles): FileFinding[] {
  const allIds = channels.channels.map(({ id }) => id);
  // Payouts have fees, but no channel.
  const feeIds = [...allIds, 'payout'];
  const limitFindings = (['limits', 'reasons'] as const).flatMap((list) =>
    payerLimits[list].flatMap(({ channels: ids = [] }, index) =>
      ids.flatMap((channel, position) => checkName(channel, allIds, `$.${list}[${index}].channels[${position}]`)),
    ),
  );
  return [
    ...inFile('channels', checkName(channels.tokenChannel, allIds, '$.tokenChannel')),
    ...inFile(
      'fees',
      fees.fees.flatMap(({ channel }, index) => checkName(channel, feeIds, `$.fees[${index}].channel`)),
    ),
    ...inFile(
      'testCards',
      testCards.networks.flatMap(({ channel }, index) => checkName(channel, allIds, `$.networks[${index}].channel`)),
    ),
    ...inFile('payerLimits', limitFindings),
  ];
}

function checkFees({
  channels: { channels },
  fees: { fees },
  currencies: { currencies },
}: FixtureFiles): FileFinding[] {
  const feeChannels = fees.map(({ channel }) => channel);
  const ids = currencies.map(({ id }) => id);
  const expected = `the id of a currency in currencies.json: ${ids.join(', ')}`;
  const channelFindings = channels.flatMap(({ id }, index) =>
    feeChannels.includes(id) ? [] : [errorFinding(`$.channels[${index}].id`, `a row in fees.json for ${id}`, 'none')],
  );
  const currencyFindings = fees.flatMap(({ feesCurrencyId }, index) =>
    ids.includes(feesCurrencyId)
      ? []
      : [errorFinding(`$.fees[${index}].feesCurrencyId`, expected, String(feesCurrencyId))],
  );
  return [...inFile('channels', channelFindings), ...inFile('fees', currencyFindings)];
}

function checkPayerLimits({ payerLimits, testCards, currencies, channels }: FixtureFiles): FileFinding[] {
  const cards = testCards.cards.map(({ id }) => id);
  const codes = currencies.currencies.map(({ currencyCode }) => currencyCode);
  const limitFindings = payerLimits.limits.flatMap(({ payer, currency }, index) => [
    ...checkName(payer?.testCard, cards, `$.limits[${index}].payer.testCard`),
    ...checkName(currency, codes, `$.limits[${index}].currency`),
  ]);
  const withoutReasons = channels.channels.filter(
    ({ id }) => !payerLimits.reasons.some((reason) => reason.channels?.includes(id) ?? true),
  );
  const reasonFindings = withoutReasons.map(({ id }) =>
    errorFinding('$.reasons', `a row for ${id}, or one without channels`, 'none'),
  );
  return inFile('payerLimits', [...limitFindings, ...reasonFindings]);
}

function inFile(fixture: keyof FixtureFiles, findings: readonly Finding[]): FileFinding[] {
  return findings.map((finding) => ({ fixture, ...finding }));
}
