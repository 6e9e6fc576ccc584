import { toDecimalText } from '../../base/money.ts';
import type { BankStatement } from '../../base/schema/generated/control.ts';
import type { SandboxClient } from '../../client/client.ts';
import type { Command, CommandResult, Options } from '../../command/command.ts';
import { writeOutputFile } from '../../command/output-file.ts';
import { suggestFilters, suggestRecords } from '../../command/suggestion.ts';
import { filtersOf, readFilters } from './lists.ts';
import { textOfRecord } from './record-text.ts';

const QUERY = 'control/bank-statement-query';

/** Prints the bank statement of a merchant that has the transfer of a settlement. */
export const STATEMENT_COMMAND: Command = {
  name: 'statement',
  parameters: ['<settlement>', '[filter...]'],
  options: [{ flags: '-o, --output <file>', help: 'file to write (default: standard output)' }],
  help: 'print the bank statement that has the transfer of a settlement',
  details: () => filtersOf(QUERY),
  suggest: (client, before, current) =>
    before.length === 0 ? suggestRecords(client, 'settlements') : suggestFilters(QUERY, current),
  run: (client, [settlement = '', ...filters], { output }) => printStatement(client, settlement, filters, output),
};

async function printStatement(
  client: SandboxClient,
  settlement: string,
  filters: readonly string[],
  output: Options[string],
): Promise<CommandResult> {
  const query = readFilters(filters, QUERY);
  const text = await client.bankStatement(settlement, query);
  const isJson = (query['format'] ?? 'json') === 'json';
  const data: unknown = isJson ? JSON.parse(text) : text;
  if (typeof output === 'string') {
    return { data, text: writeOutputFile(output, text) };
  }
  const shown = isJson ? textOfRecord(pageOfStatement(data as BankStatement)) : text.replaceAll('\r\n', '\n').trimEnd();
  return { data, text: shown };
}

/** The entries in one table with the opening and the closing balance. */
function pageOfStatement({ opening, closing, entries, ...facts }: BankStatement): object {
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
