// The snippets of docs/ci.md without a container runtime: checks that the image has what they use.
import { readFileSync } from 'node:fs';
import { startSandbox } from '../sandbox.ts';

const page = readFileSync('docs/ci.md', 'utf8');
const image = readFileSync('Dockerfile', 'utf8');
const [, section = ''] = /^## Testcontainers\n(.*?)^## /ms.exec(page) ?? [];
const snippets = ['ts', 'java', 'python'].map((language): [string, string] => {
  const [, text = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(section) ?? [];
  return [language, text];
});

it.each(snippets)('the snippet in %s names the image, its port and its variable', (_language, text) => {
  const [, tag] = /^docker build -t (\S+) /m.exec(page) ?? [];
  const [, port] = /^EXPOSE (\d+)$/m.exec(image) ?? [];
  const [, name] = /(?:GenericContainer(?:<>)?|DockerContainer)\(["']([^"']+)["']\)/.exec(text) ?? [];
  expect(name).toBe(tag);
  expect(new Set(text.match(/\b\d{4,}\b/g))).toEqual(new Set([port]));
  expect(text).toContain('SANDBOX_CONTROL_TOKEN');
  expect(text).toContain('/s/checkout');
});

it('the path that the snippets wait for answers without a token, and another one requires it', async () => {
  const paths = snippets.map(([, text]) => /["'](\/_sandbox\/\w+)["']/.exec(text)?.[1]);
  expect(new Set(paths).size).toBe(1);
  const [path = ''] = paths;
  const [, token = ''] = /SANDBOX_CONTROL_TOKEN["']?[:,] ["']([^"']+)["']/.exec(section) ?? [];
  const sandbox = await startSandbox({ host: '0.0.0.0', controlToken: token });
  try {
    expect((await fetch(`${sandbox.url}${path}`)).status).toBe(200);
    expect((await fetch(`${sandbox.url}/_sandbox/clock`)).status).toBe(401);
  } finally {
    await sandbox.close();
  }
});
