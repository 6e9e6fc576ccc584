// The texts of `merchant-sandbox explain` and the guide about each shipped scenario and behaviour, and each kind of refusal and finding.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';

/** @typedef {{ id: string, name: string, kind: string, description: string, advice: string, use: string[], facts: object }} Explanation */

/** @returns {Promise<Explanation[]>} in the order of their ids */
export async function readExplanations() {
  const all = [
    ...fixturesIn('scenarios').map((facts) =>
      explanationOf(facts, 'scenario', [
        `merchant-sandbox scenario ${facts.name}`,
        ...(actsOnCalls(facts)
          ? [`X-Sandbox-Scenario: ${facts.name}`, `#${facts.name} in paymentDescription or payerReference`]
          : [`PUT /_sandbox/scenario {"name":"${facts.name}"}`]),
      ]),
    ),
    ...fixturesIn('behaviours').map((facts) =>
      explanationOf(facts, 'behaviour', [
        `merchant-sandbox behaviour ${facts.name}`,
        `merchant-sandbox start --behaviour ${facts.name}`,
        `"behaviour": "${facts.name}" in a scenario`,
      ]),
    ),
    ...(await kindsIn('refusal-kinds', 'REFUSAL_KINDS')).map(([name, { status, ...row }]) => ({
      ...explainKind(name, 'refusal', row),
      facts: { status },
    })),
    ...(await kindsIn('finding-kinds', 'CALL_KINDS')).map(([name, row]) => explainKind(name, 'finding', row)),
    ...(await kindsIn('finding-kinds', 'INTEGRATION_KINDS')).map(([name, row]) => ({
      ...explainKind(name, 'finding', row),
      facts: { ignoreWith: `--ignore-findings ${row.id}` },
    })),
  ];
  return all.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** @param {Explanation[]} explanations */
export function writeExplanations(explanations, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/explanations.json.gz`, gzipSync(JSON.stringify(explanations), { level: 9 }));
}

/** An explanation as a page of the guide. */
export function pageOf({ id, name, kind, description, advice, use, facts }) {
  return [
    `# ${id}: ${name}`,
    `A ${kind}. ${description}`,
    `**What to do:** ${advice}`,
    ...(use.length > 0 ? [`Any of these chooses it:\n\n${use.map((line) => `    ${line}`).join('\n')}`] : []),
    ...(Object.keys(facts).length > 0 ? [`\`\`\`json\n${JSON.stringify(facts, null, 2)}\n\`\`\``] : []),
  ].join('\n\n');
}

/** Whether a scenario can be chosen for a single call. Settlements always follow the scenario of the session. */
function actsOnCalls({ rules }) {
  return (
    rules.length === 0 ||
    rules.some(({ when }) => ![when?.operation].flat().every((each) => each === 'closeSettlement'))
  );
}

function fixturesIn(folder) {
  return readdirSync(`fixtures/${folder}`).map((file) =>
    JSON.parse(readFileSync(`fixtures/${folder}/${file}`, 'utf8')),
  );
}

function explanationOf({ $schema: _, id, name, description, advice, ...facts }, kind, use) {
  return { id, name, kind, description, advice, use, facts };
}

/** The rows of a table in src/base. */
async function kindsIn(file, table) {
  const { code } = transformSync(readFileSync(`src/base/${file}.ts`, 'utf8'), { loader: 'ts', format: 'esm' });
  const tables = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return Object.entries(tables[table]);
}

function explainKind(name, kind, { id, meaning, advice }) {
  return { id, name, kind, description: meaning, advice, use: [], facts: {} };
}
