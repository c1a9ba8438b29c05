import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The rules of ARCHITECTURE.md that no type checker sees. A linter could refuse import texts; only by following them can
 * a test say which room they lead to, and that doors (`*.router.ts`, `*.routes.ts`, `*.job.ts`) may reach further.
 */
const ROOMS = [
  'access',
  'announcements',
  'contacts',
  'accounts',
  'events',
  'campaigns',
  'sending',
  'polling',
  'tracking',
  'webhooks',
  'live',
  'monitoring',
];
const ROOM_RANK: Record<string, number> = {
  access: 1,
  announcements: 2,
  contacts: 3,
  accounts: 3,
  events: 3,
  campaigns: 4,
  sending: 5,
  polling: 5,
  tracking: 5,
  webhooks: 5,
  live: 6,
  monitoring: 6,
};
const DOOR = 7;
/** Files outside the rooms and the floor, most special first. */
const RANKS: [RegExp, number, string][] = [
  [/^src\/api\/(router|server)\.ts$/, 8, 'router'],
  [/^src\/jobs\/timetable\.ts$/, 8, 'timetable'],
  [/^src\/dashboard\//, 9, 'dashboard'],
  [/^src\/demo\//, 10, 'demo'],
  [/^src\/api\//, 2, 'api'],
  [/^src\/jobs\//, 2, 'jobs'],
  [/^src\/(daemon|runtime|install|entities|trash)\.ts$/, 9, 'composition root'],
  [/^src\/(doctor|upkeep)\//, 9, 'composition root'],
  [/^src\/cli\//, 11, 'commands'],
  [/^(commands|bin)\//, 11, 'commands'],
  [/^migrations\//, 0, 'migrations'],
  [/^src\/postgres\//, 0, 'floor'],
  [/^src\/[^/]+\.ts$/, 0, 'floor'],
];

const FILES = globSync(['src/**/*.{ts,tsx}', 'commands/**/*.{ts,tsx}', 'migrations/*.ts']).sort();
const IMPORT = /(?:^|[\s;])(?:import|export)\s[^'"]*?from\s*['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/g;

interface Import {
  from: string;
  line: number;
  to: string;
}

const roomOf = (file: string) => ROOMS.find((room) => file.startsWith(`src/${room}/`));
const isDoor = (file: string) => roomOf(file) !== undefined && /\.(router|routes|job)\.ts$/.test(file);

function placeOf(file: string): { rank: number; name: string } {
  const room = roomOf(file);
  if (room !== undefined) return isDoor(file) ? { rank: DOOR, name: `door of ${room}` } : { rank: ROOM_RANK[room] ?? 0, name: room };
  const found = RANKS.find(([pattern]) => pattern.test(file));
  if (found === undefined) throw new Error(`${file} has no place in the architecture; give it one`);
  return { rank: found[1], name: found[2] };
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(IMPORT)].map((match) => ({
    from: file,
    line: text.slice(0, match.index).split('\n').length + (match[0].startsWith('\n') ? 1 : 0),
    to: normalize(join(dirname(file), match[1] ?? match[2] ?? '')),
  }));
}

/** Lines of code of all files that match, as `file:line: text`. Comment lines don't count. */
function codeLines(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text, index) => (pattern.test(text) && !/^\s*(\/\/|\/?\*)/.test(text) ? [`${file}:${index + 1}: ${text.trim()}`] : [])),
  );
}

const imports = FILES.flatMap(importsOf);
const importsByFile = Map.groupBy(imports, ({ from }) => from);

describe('who may import whom', () => {
  it('finds the imports at all', () => {
    expect(imports.length).toBeGreaterThan(200);
    expect(imports.find(({ from }) => from === 'src/runtime.ts')).toBeDefined();
  });

  it('nothing is imported from a later layer, nor from another room of the same one', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [here, there] = [placeOf(from), placeOf(to)];
      if (roomOf(from) !== undefined && roomOf(from) === roomOf(to)) return isDoor(to);
      return isDoor(to) ? here.rank <= DOOR : there.rank > here.rank || (there.rank === here.rank && there.name !== here.name);
    });
    expect(wrong.map(({ from, line, to }) => `${from}:${line} (${placeOf(from).name}) imports ${to} (${placeOf(to).name})`)).toEqual([]);
  });

  it('a room is entered through its index.ts (or that of a folder in it), and through its doors only by those who merge them', () => {
    const wrong = imports.filter(({ from, to }) => {
      const room = roomOf(to);
      if (room === undefined || roomOf(from) === room) return false;
      return !new RegExp(`^src/${room}/([a-z-]+/)?index\\.ts$`).test(to) && !isDoor(to);
    });
    expect(wrong.map(({ from, line, to }) => `${from}:${line} imports ${to}`)).toEqual([]);
  });
});

/** The files of a circle that starts and ends at `start`, the shortest there is. */
function circleThrough(start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const { to } of importsByFile.get(file) ?? []) {
      if (to === start) return pathTo(file);
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, file);
      queue.push(to);
    }
  }
  return undefined;

  function pathTo(file: string): string[] {
    const before = cameFrom.get(file);
    return before === undefined ? [file] : [...pathTo(before), file];
  }
}

describe('what a room hands out', () => {
  it('is used by somebody outside: an index.ts is the list of what others may ask of it, not of what it has', () => {
    const texts = globSync(['{src,commands,test,bench}/**/*.{ts,tsx}']).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
    const unused = FILES.filter((file) => /^src\/.+\/index\.ts$/.test(file)).flatMap((index) => {
      const outside = texts.filter(({ file }) => !file.startsWith(`${dirname(index)}/`));
      const names = [...readFileSync(index, 'utf8').matchAll(/^export (?:type )?\{([^}]+)\} from/gm)].flatMap(([, list = '']) =>
        list.split(',').map((name) => name.replace(/^\s*type /, '').trim()),
      );
      return names
        .filter((name) => name !== '' && !outside.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text)))
        .map((name) => `${index}: ${name}`);
    });
    expect(unused).toEqual([]);
  });
});

describe('files', () => {
  it('never import one another in a circle, not even types: each can be read after those that it stands on', () => {
    const circles = FILES.flatMap((file) => {
      const circle = circleThrough(file);
      // Each circle once, from its first file.
      return circle?.every((other) => file <= other) ? [[...circle, file].join(' → ')] : [];
    });
    expect(circles).toEqual([]);
  });

  it('have 250 lines at most', () => {
    const allowed = [
      // What mail servers answer: rows of one table, which would not be easier to read in two.
      'src/smtp-replies.ts',
    ];
    const long = FILES.filter((file) => !allowed.includes(file))
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > 250);
    expect(long).toEqual([]);
  });
});

describe('where things may be read', () => {
  it('only src/config.ts reads the environment', () => {
    const allowed = [
      // Passwords of the mailbox that one command connects; they are no settings.
      'src/cli/password.ts',
      // Whether a browser that is opened here would be seen.
      'src/cli/sign-in.ts',
    ];
    const files = FILES.filter((file) => file !== 'src/config.ts' && !allowed.includes(file));
    expect(codeLines(files, /process\.env\b/)).toEqual([]);
  });

  it('only src/clock.ts asks the machine for the time', () => {
    const files = FILES.filter((file) => file.startsWith('src/') && file !== 'src/clock.ts');
    expect(codeLines(files, /new Date\(\)|\bDate\.now\(/)).toEqual([]);
  });

  it('routers hold no SQL on the tables of the rooms: they call functions that ask who may see what', () => {
    const routers = FILES.filter((file) => file.endsWith('.router.ts'));
    expect(routers.length).toBeGreaterThan(3);
    expect(codeLines(routers, /\b(from|join|update|into)\s+(contacts|campaigns|templates|accounts|lists|enrolments|events)\b/i)).toEqual(
      [],
    );
  });
});
