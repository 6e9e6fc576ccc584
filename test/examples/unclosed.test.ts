import { spawn } from 'node:child_process';
import { once } from 'node:events';

it('a program that does not close the sandbox still ends', async () => {
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
