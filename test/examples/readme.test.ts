import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

it("the README's example is the one that is run as a project of its own", () => {
  const readme = readFileSync('README.md', 'utf8');
  const [, shown] = /<!-- test\/examples\/jest\/checkout\.test\.js -->\n```js\n(.*?)```/s.exec(readme) ?? [];
  expect(readFileSync('test/examples/jest/checkout.test.js', 'utf8')).toBe(shown);
});

it('the page on reconciliation shows what is run as a project of its own', () => {
  const page = readFileSync('docs/reconciliation.md', 'utf8');
  const shown = [...page.matchAll(/<!-- (test\/examples\/\S+) -->\n```js\n(.*?)```/gs)];
  expect(shown.map(([, file]) => file)).toHaveLength(2);
  for (const [, file = '', text] of shown) {
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

it.each(['README.md', 'docs/reconciliation.md'])('every JSON in %s can be pasted', (page) => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```json\w*\n(.*?)```/gs)];
  expect(blocks.length).toBeGreaterThan(0);
  for (const [, block] of blocks) {
    expect(() => JSON.parse(block ?? '')).not.toThrow();
  }
});

it('a test that forgets to close the sandbox still ends', async () => {
  const script = `
    import { startSandbox } from './dist/index.js';
    const sandbox = await startSandbox();
    await sandbox.client.health();
    console.log('used');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'exit');
  expect([code, output]).toEqual([0, 'used\n']);
});
