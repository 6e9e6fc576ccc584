// Runs the model as a program: it reads a batch of histories from a file, and prints its results as JSON.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../test/model/check_money.py', import.meta.url));

/** Whether there is a Python that can run the model. */
export function hasPython() {
  const { status } = spawnSync('python3', [
    '-c',
    'import sys, zoneinfo; zoneinfo.ZoneInfo("Europe/Berlin"); sys.exit(sys.version_info < (3, 9))',
  ]);
  return status === 0;
}

/** Ends the program if Python is missing. */
export function requirePython() {
  if (!hasPython()) {
    console.error(
      'check-money needs python3 (3.9 or later, with time zones) on the PATH, because its model is in Python',
    );
    process.exit(2);
  }
}

/** Resolves with { histories, lines, entries, disagreements: [{ seed, check, text }] } for a file with one history on each line. */
export function askTheModel(file, terms) {
  return new Promise((resolve, reject) => {
    const child = spawn('python3', ['-B', PROGRAM, file, terms], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`the model ended with ${code}`)),
    );
  });
}
