// Checks the files of containers and CI without running them: Dockerfile, compose file, the action, and workflows, also those in docs/.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { build } from 'esbuild';

const WORKFLOWS = '.github/workflows';

const require = createRequire(import.meta.url);
const { validate } = require('dockerfile-utils');

// Biome writes double quotes. docker-compose 1.29 refuses a file that has a name.
const compose = new DCLinter({
  rules: { 'require-quotes-in-ports': [2, { quoteType: 'double' }], 'require-project-name-field': 0 },
  quiet: false,
  debug: false,
  exclude: [],
});

const problems = [
  ...validate(readFileSync('Dockerfile', 'utf8')).map(
    ({ range, message }) => `Dockerfile:${range.start.line + 1} ${message}`,
  ),
  ...compose
    .lintFiles(['compose.yaml', 'compose.nodes.yaml'], false)
    .flatMap(({ filePath, messages }) => messages.map(({ line, message }) => `${filePath}:${line} ${message}`)),
  ...(await problemsOfActions()),
];
for (const problem of problems) {
  console.error(problem);
}
process.exitCode = problems.length === 0 ? 0 : 1;

async function problemsOfActions() {
  const { parseAction, parseWorkflow, NoOperationTraceWriter } = await loadParser();
  const trace = new NoOperationTraceWriter();
  const errorsOf = ({ context }) => context.errors.getErrors().map(({ message }) => message);
  return [
    ...errorsOf(parseAction({ name: 'action.yml', content: readFileSync('action.yml', 'utf8') }, trace)),
    ...[...ownWorkflows(), ...workflowsInDocs()].flatMap((workflow) => errorsOf(parseWorkflow(workflow, trace))),
  ];
}

function ownWorkflows() {
  return readdirSync(WORKFLOWS).map((file) => {
    const name = `${WORKFLOWS}/${file}`;
    return { name, content: readFileSync(name, 'utf8') };
  });
}

/** Each block of YAML that has jobs is a whole workflow. */
function workflowsInDocs() {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
  return pages.flatMap((file) =>
    [...readFileSync(join('docs', file), 'utf8').matchAll(/```yaml\n(.*?)```/gs)]
      .map(([, content]) => ({ name: `docs/${file}`, content }))
      .filter(({ content }) => /^jobs:/m.test(content)),
  );
}

/** Bundles GitHub's own parser first, because it imports its schemas in a way that only bundlers support. */
async function loadParser() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-actions-'));
  const file = join(folder, 'parser.cjs');
  const parser = dirname(fileURLToPath(import.meta.resolve('@actions/workflow-parser')));
  const contents = `export * from '${parser}/index.js'; export { parseAction } from '${parser}/actions/action-parser.js';`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  writeFileSync(file, outputFiles[0].contents);
  try {
    return require(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
