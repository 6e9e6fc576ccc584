import { BUILT_ASSETS, readPackedJson } from '../../base/package.ts';
import { didYouMean } from '../../base/text/nearest.ts';
import { type Command, type Shown, UsageError } from '../../command/command.ts';
import { linesOfJson, tableOf } from '../../command/show.ts';

/** What there is to say of a shipped scenario or behaviour, or of a kind of refusal or finding. Made by the build. */
interface Explanation {
  /** SBX-S01, SBX-B01, SBX-R01, SBX-W01, … */
  id: string;
  name: string;
  kind: 'scenario' | 'behaviour' | 'refusal' | 'finding';
  description: string;
  /** What a merchant's code must do, or whoever was refused. */
  advice: string;
  /** What chooses it. */
  use: string[];
  facts: object;
}

const readExplanations = () => readPackedJson<Explanation[]>(`${BUILT_ASSETS}explanations.json.gz`);

/** Says what an id stands for, with no sandbox running. */
export const EXPLAIN_COMMAND: Command = {
  name: 'explain',
  parameters: ['[id-or-name]'],
  help: 'explain a scenario, behaviour, refusal or finding, and what to do about it; without an id, list them all',
  findsSandbox: true,
  suggest: async (_client, before) =>
    before.length === 0 ? readExplanations().map(({ id, name }) => ({ word: id, help: name })) : [],
  async run(_client, [wanted]) {
    const all = readExplanations();
    return wanted === undefined ? tableOf(all, ['id', 'kind', 'name', 'description']) : shown(find(all, wanted));
  },
};

function find(all: readonly Explanation[], wanted: string): Explanation {
  const found = all.find(({ id, name }) => [id, name].some((word) => word.toLowerCase() === wanted.toLowerCase()));
  if (!found) {
    const known = all.flatMap(({ id, name }) => [id, name]);
    throw new UsageError(
      `there is no ${wanted} to explain${didYouMean(wanted, known)}; explain alone lists what there is`,
    );
  }
  return found;
}

function shown(explanation: Explanation): Shown {
  const { id, name, kind, description, advice, use, facts } = explanation;
  const lines = [
    `${id}  ${name} (${kind})`,
    '',
    description,
    '',
    `What to do: ${advice}`,
    ...(use.length > 0 ? ['', 'Any of these chooses it:', ...use.map((line) => `  ${line}`)] : []),
    ...(Object.keys(facts).length > 0 ? ['', ...linesOfJson(facts)] : []),
  ];
  return { data: explanation, text: lines.join('\n') };
}
