// `npm run rooms`: hand-written lines of each room of src/, which room imports which, and the longest files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.mjs';

/**
 * Lines of rooms: the aim, and the present limit, which is only lowered. Lines are saved by removing features and second
 * representations, never by denser code.
 */
export const BUDGETS = {
  'server + base': { aim: 32_000, limit: 42_100 },
  recordings: { aim: 4000, limit: 4000 },
  examine: { aim: 6500, limit: 10_400 },
  console: { aim: 14_500, limit: 15_800 },
  'cli + command': { aim: 4000, limit: 4563 },
  all: { aim: 64_000, limit: 82_350 },
};

const SOURCE = /\.(?:tsx?|css)$/;
const IMPORT = /(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g;
const MAX_FILES_SHOWN = 10;

/** The files of src/ that are not generated. */
function handWritten() {
  const generated = generatedFiles();
  return readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).split(sep).join('/'))
    .filter((file) => !generated.has(file))
    .sort();
}

/** The room of a file: a folder of src/ or src/server/; files directly in src/ are the room `library`. */
function roomOf(file) {
  const [, first, second, third] = file.split('/');
  if (second === undefined) {
    return 'library';
  }
  return first === 'server' && third !== undefined ? `server/${second}` : first;
}

/** Lines by room and by budget, imports between rooms with their number, and the longest files. */
export function measureRooms() {
  const files = handWritten().map((file) => {
    const text = readFileSync(file, 'utf8');
    return { file, room: roomOf(file), text, lines: text.split('\n').length - 1 };
  });
  const rooms = new Map();
  const imports = new Map();
  for (const { file, room, text, lines } of files) {
    rooms.set(room, (rooms.get(room) ?? 0) + lines);
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = normalize(join(dirname(file), specifier))
        .split(sep)
        .join('/');
      const other = target.startsWith('src/') && existsSync(target) ? roomOf(target) : room;
      if (other !== room) {
        const arrow = `${room} → ${other}`;
        imports.set(arrow, (imports.get(arrow) ?? 0) + 1);
      }
    }
  }
  const sumOf = (fits) => [...rooms].reduce((sum, [room, lines]) => sum + (fits(room.split('/')[0]) ? lines : 0), 0);
  const budgets = Object.entries(BUDGETS).map(([name, budget]) => {
    const names = name.split(' + ');
    return { name, ...budget, lines: sumOf((room) => name === 'all' || names.includes(room)) };
  });
  const longest = files.toSorted((one, other) => other.lines - one.lines).slice(0, MAX_FILES_SHOWN);
  return { rooms, imports, budgets, longest };
}

export function textOfRooms({ rooms, imports, budgets, longest } = measureRooms()) {
  const row = (lines, name) => `${String(lines).padStart(8)}  ${name}`;
  return [
    'lines of each room',
    ...[...rooms].sort(([one], [other]) => (one < other ? -1 : 1)).map(([room, lines]) => row(lines, room)),
    '',
    'budgets',
    ...budgets.map(({ name, lines, aim, limit }) => row(lines, `${name} (at most ${limit}, to be ${aim})`)),
    '',
    `imports between rooms (${imports.size})`,
    ...[...imports].sort(([one], [other]) => (one < other ? -1 : 1)).map(([arrow, count]) => row(count, arrow)),
    '',
    'longest files',
    ...longest.map(({ file, lines }) => row(lines, file)),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(textOfRooms());
}
