import { toDecimalText } from '../../base/money.ts';
import type { BankStatement } from '../../base/schema/generated/control.ts';
import type { Command } from '../../command/command.ts';
import { writeOutputFile } from '../../command/output-file.ts';
import { suggestFilters, suggestRecords } from '../../command/suggestion.ts';
import { describeFilters, parseFilters } from './lists.ts';
import { textOfRecord } from './record-text.ts';

const QUERY = 'control/bank-statement-query';

export const STATEMENT_COMMAND: Command = {
  name: 'statement',
  parameters: ['<settlement>', '[filter...]'],
  options: [{ flags: '-o, --output <file>', help: 'file to write (default: standard output)' }],
  help: 'print the bank statement that has the transfer of a settlement',
  details: () => describeFilters(QUERY),
  suggest: (client, args, current) =>
    args.length === 0 ? suggestRecords(client, 'settlements') : suggestFilters(QUERY, current),
  async run(client, [settlement = '', ...filters], { output }) {
    const query = parseFilters(filters, QUERY);
    const text = await client.bankStatement(settlement, query);
    const isJson = (query['format'] ?? 'json') === 'json';
    const data: unknown = isJson ? JSON.parse(text) : text;
    if (typeof output === 'string') {
      return { data, text: writeOutputFile(output, text) };
    }
    const plain = text.replaceAll('\r\n', '\n').trimEnd();
    return { data, text: isJson ? textOfRecord(membersOfStatement(data as BankStatement)) : plain };
  },
};

/** The entries in one table with the opening and the closing balance. */
function membersOfStatement({ opening, closing, entries, ...facts }: BankStatement): object {
  return {
    ...facts,
    entries: [
      { entry: 'opening balance', amount: toDecimalText(opening) },
      ...entries.map(({ id: entry, amount, reference, valueDate, type, remittance }) => ({
        ...{ entry, amount: toDecimalText(amount), type, valueDate, reference, remittance },
      })),
      { entry: 'closing balance', amount: toDecimalText(closing) },
    ],
  };
}
