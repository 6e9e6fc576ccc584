// `npm run words`: phrases that are hard to understand, in code, comments, titles of tests and documents, each with the plain words for it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.mjs';

/** The remaining ones are correct: code, and terms of the domain. */
const LIMIT = 5;

/** Phrases, and what to write instead. */
const PHRASES = [
  ['(?:is|are) none', 'does not exist, is not a …, there is no …'],
  ['is no more', 'does not exist any more'],
  ['of (?:its|their|our|his) own', 'its own, separate'],
  ['so many', 'the number, N'],
  ['so much', 'the amount'],
  ['(?:comes?|came) of', 'results from'],
  ['(?:is|are) over', 'has ended'],
  ['st(?:and|ands|ood) (?:in|there)', 'is in'],
  ['st(?:and|ands|ood) for', 'means, replaces'],
  ['whoever|whichever', 'any caller that, any … that'],
  ['(?:goes|go|went) on', 'continues'],
  ['anew', 'again'],
  ['what (?:came|comes|follows)', 'the input, the request, side effects'],
  ['told of', 'notified of'],
  ['tells? of', 'reports'],
  ['takes note', 'records'],
  ['lets go', 'releases'],
  ['left out', 'omitted'],
  ['of before', 'previous'],
  ['meanwhile', 'while …'],
  ['sees? to', 'handles'],
  ['is to become', 'the planned …'],
  ['written down|writes? down', 'recorded'],
  ['what (?:it keeps|was refused|is told)|who holds', 'the noun: data, the error, the notification, the owner'],
];
const PATTERN = new RegExp(PHRASES.map(([phrase]) => `(\\b(?:${phrase})\\b)`).join('|'), 'gi');

/** Where such words are correct: the end of the file's name, and a part of the line. */
const ALLOWED = [
  ['scripts/words.mjs', ''],
  ['CHANGELOG.md', ''],
  // Python compares with None.
  ['.py', ' is None'],
];

const TEXTS = ['src', 'test', 'scripts', 'docs', 'fixtures', 'schemas', 'examples', '*.md'];
const READ = /\.(?:tsx?|mjs|cjs|js|md|json|css|py|cfg|conf)$/;

function handWritten() {
  const generated = generatedFiles();
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...TEXTS], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  return files.split('\n').filter((file) => READ.test(file) && !generated.has(file));
}

function phrasesIn(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // The file was deleted, but that is not committed yet.
    return [];
  }
  return text.split('\n').flatMap((line, index) => {
    const isAllowed = ALLOWED.some(([end, part]) => file.endsWith(end) && line.includes(part));
    return isAllowed
      ? []
      : [...line.matchAll(PATTERN)].map((match) => {
          const [, plain] = PHRASES[match.slice(1).findIndex((group) => group !== undefined)];
          return `${file}:${index + 1}: ${match[0]} → ${plain}`;
        });
  });
}

const phrases = handWritten().flatMap(phrasesIn);
console.log(phrases.join('\n'));
console.log(`${phrases.length} phrases, at most ${LIMIT}`);
process.exitCode = phrases.length > LIMIT ? 1 : 0;
