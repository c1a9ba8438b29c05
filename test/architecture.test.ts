import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreignWaits } from './support/foreign-waits.ts';
import { type PrivateUse, privateUses } from './support/private-parts.ts';
import { entityWrites } from './support/sql/entities.ts';
import { foreignReads, foreignStates, foreignWrites, MAY_WRITE, OWNERS, READS, READS_ABOVE } from './support/sql/owners.ts';
import { tablesOfMigrations } from './support/sql/schema.ts';
import { readSql } from './support/sql/statements.ts';

/**
 * The folders of the program, lowest layer first; a folder imports only from layers before its own. Folders of one layer know
 * nothing of one another. ARCHITECTURE.md says what each is for.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['migrations'],
  ['src/core'],
  ['src/html', 'src/files', 'src/fields', 'src/editor'],
  ['src/secrets'],
  ['src/db', 'src/db/embedded'],
  ['src/mail/phrases'],
  ['src/mail/replies'],
  ['src/mail', 'src/mail/classify'],
  ['src/app.ts'],
  ['src/oauth', 'src/access', 'src/jobs', 'src/mail-domains', 'src/uploads'],
  ['src/webhooks'],
  ['src/contacts', 'src/templates'],
  ['src/accounts', 'src/outbox'],
  ['src/events'],
  ['src/campaigns'],
  ['src/replies', 'src/reports'],
  ['src/campaign-files', 'src/sending'],
  ['src/inbound', 'src/tracking'],
  ['src/monitoring'],
  ['src/live'],
  ['src/summaries'],
  ['src/maintenance'],
  ['src/api'],
  ['src/api/routers'],
  ['src/http'],
  ['src/main'],
  ['src/client'],
  ['src/dashboard', 'src/doctor', 'src/mcp'],
  ['src/demo'],
  ['src/cli'],
  ['commands'],
];
/** Folders that are entered through their `index.ts`, or that of a folder in them. */
const CLOSED = [
  ...[
    'access',
    'accounts',
    'campaigns',
    'contacts',
    'events',
    'inbound',
    'live',
    'mail-domains',
    'monitoring',
    'oauth',
    'outbox',
    'reports',
    'sending',
    'summaries',
    'templates',
    'tracking',
    'webhooks',
  ],
  'mail/classify',
].map((folder) => `src/${folder}`);

const FILES = globSync(['src/**/*.{ts,tsx}', 'commands/**/*.{ts,tsx}', 'migrations/*.ts']).sort();
const IMPORT = /(?:^|[\s;])(?:import|export)\s[^'"]*?from\s*['"](\.[^'"]+)['"]|import\(\s*['"](\.[^'"]+)['"]\s*\)/g;

interface Import {
  from: string;
  line: number;
  to: string;
}

const NAMES = LAYERS.flat().sort((a, b) => b.length - a.length);

/** The folder of LAYERS that a file lies in, and its layer. */
function placeOf(file: string): { folder: string; layer: number } {
  const folder = NAMES.find((name) => file === name || file.startsWith(`${name}/`));
  if (folder === undefined) throw new Error(`${file} has no layer; give its folder one`);
  return { folder, layer: LAYERS.findIndex((layer) => layer.includes(folder)) };
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
    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.find(({ from }) => from === 'src/main/runtime.ts')).toBeDefined();
  });

  it('a folder imports only from earlier layers, never from its neighbours of the same one', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [here, there] = [placeOf(from), placeOf(to)];
      return here.folder !== there.folder && there.layer >= here.layer;
    });
    expect(wrong.map(({ from, line, to }) => `${from}:${line} imports ${to}`)).toEqual([]);
  });

  it('no folder, down to the innermost, is part of a circle', () => {
    const edges = Map.groupBy(
      imports.map(({ from, to }) => ({ from: dirname(from), to: dirname(to) })).filter(({ from, to }) => from !== to),
      ({ from }) => from,
    );
    const reachable = (start: string): Set<string> => {
      const seen = new Set<string>();
      const queue = [start];
      for (const folder of queue) {
        for (const { to } of edges.get(folder) ?? []) {
          if (seen.has(to)) continue;
          seen.add(to);
          queue.push(to);
        }
      }
      return seen;
    };
    expect([...edges.keys()].filter((folder) => reachable(folder).has(folder))).toEqual([]);
  });

  it('a closed folder is entered through its index.ts, or that of a folder in it', () => {
    const wrong = imports.filter(({ from, to }) => {
      const folder = placeOf(to).folder;
      if (!CLOSED.includes(folder) || placeOf(from).folder === folder) return false;
      return !new RegExp(`^${folder}/([a-z-]+/)?index\\.ts$`).test(to);
    });
    expect(wrong.map(({ from, line, to }) => `${from}:${line} imports ${to}`)).toEqual([]);
  });

  it('src holds folders, and the one file that says what they are given', () => {
    expect(globSync('src/*.{ts,tsx}')).toEqual(['src/app.ts']);
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
    const long = FILES.map((file) => ({ file, lines: readFileSync(file, 'utf8').trimEnd().split('\n').length })).filter(
      ({ lines }) => lines > 250,
    );
    expect(long).toEqual([]);
  });

  it('have no line of more than 200 characters: a change to one could not be reviewed', () => {
    const long = FILES.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > 200 ? [`${file}:${index + 1}: ${line.length}`] : [])),
    );
    expect(long).toEqual([]);
  });
});

describe('docstrings', () => {
  it('begin with the thing or with what it does, never with What, How or Whether', () => {
    const asking = FILES.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\/\*\*\s+(?:\* )?(?:What|How|Whether)\b.*/g)].map(([text]) => `${file}: ${text}`),
    );
    expect(asking).toEqual([]);
  });
});

describe('where things may be read', () => {
  it('only src/core/config.ts reads the environment', () => {
    const allowed = [
      // Passwords of the mailbox that one command connects; they are no settings.
      'src/cli/password.ts',
      // The server to work on; with one, the settings of this machine are not even loaded.
      'src/cli/client/client-command.ts',
      // The same server, which a command of the machine refuses to work on.
      'src/cli/command.ts',
      // Whether a browser that is opened here would be seen.
      'src/cli/sign-in.ts',
      // The editor that a person uses everywhere.
      'src/editor/open-editor.ts',
    ];
    const files = FILES.filter((file) => file !== 'src/core/config.ts' && !allowed.includes(file));
    expect(codeLines(files, /process\.env\b/)).toEqual([]);
  });

  it('only src/core/clock.ts asks the machine for the time', () => {
    const files = FILES.filter((file) => file.startsWith('src/') && file !== 'src/core/clock.ts');
    expect(codeLines(files, /new Date\(\)|\bDate\.now\(/)).toEqual([]);
  });

  it('only src/cli/terminal.ts writes to the terminal: it cleans what strangers wrote, and nothing is printed around it', () => {
    const allowed = [
      'src/cli/terminal.ts',
      // Their errors, and the end of what was written.
      'src/cli/main.ts',
      // The prompt of a library that echoes no password; its question is cleaned.
      'src/cli/password.ts',
      // The editor of the person at the terminal.
      'src/editor/open-editor.ts',
      // Two control sequences of ours.
      'src/dashboard/line-wrap.ts',
      // JSON lines, cleaned.
      'src/core/log.ts',
    ];
    const files = FILES.filter((file) => !allowed.includes(file));
    const write =
      /process\.std(out|err)\b(?!\.(isTTY|columns)\b)|\bconsole\.|\bux\b.*@oclif|this\.(warn|error|logToStderr)\(|stdio: 'inherit'/;
    expect(codeLines(files, write)).toEqual([]);
    expect(codeLines(FILES, /import \{.*\bText\b.*from 'ink'/).map((line) => line.split(':')[0])).toEqual(['src/dashboard/text.tsx']);
  });

  it('temporary files have names that nobody can guess: of mkdtemp, or of draftOf and opened exclusively', () => {
    expect(codeLines(FILES, /[.-]\$\{process\.pid\}|\.tmp['`]|tmpdir\(\)/).filter((line) => !line.includes('mkdtempSync('))).toEqual([]);
    const drafts = FILES.filter((file) => /\bdraftOf\(/.test(readFileSync(file, 'utf8')));
    expect(drafts.length).toBeGreaterThan(3);
    expect(drafts.filter((file) => !readFileSync(file, 'utf8').includes("'wx'"))).toEqual([]);
  });

  it('routers hold no SQL: they call functions that ask who may see what', () => {
    const routers = FILES.filter((file) => file.startsWith('src/api/routers/'));
    expect(routers.length).toBeGreaterThan(10);
    expect(codeLines(routers, /\bsql`/)).toEqual([]);
  });

  it('commands parse, call and print: no SQL, no entity manager; a query of the client is a call', () => {
    const commands = FILES.filter((file) => file.startsWith('commands/'));
    expect(commands.length).toBeGreaterThan(50);
    expect(codeLines(commands, /\bsql`|(?<!\bapi(\.\w+){2,3})\.query\(|\bem\.|\.em\b/)).toEqual([]);
  });
});

describe('who may write and read which table', () => {
  const programs = FILES.filter((file) => !file.startsWith('migrations/'));
  const found = readSql(programs);
  const uses = [...found.tables, ...entityWrites(programs)];

  it('every statement is read, by the parser of PostgreSQL', () => {
    expect(found.unread.map(({ file, line }) => `${file}:${line}`)).toEqual([]);
    expect(found.read).toBeGreaterThan(500);
  });

  it('every table that the migrations make has an owner', () => {
    const byLibraries = ['agenda_jobs', 'mikro_orm_migrations'];
    expect(Object.keys(OWNERS).sort()).toEqual([...tablesOfMigrations(), ...byLibraries].sort());
    const folders = new Set(FILES.map(dirname));
    expect(Object.values(OWNERS).filter((folder) => !folders.has(folder))).toEqual([]);
  });

  it('only its owner writes a table, by statements or by entities', () => {
    expect(foreignWrites(uses).map(({ what, where }) => `${what} (${where})`)).toEqual([]);
  });

  it('files that may write tables of others still do', () => {
    const writers = new Set(uses.filter(({ kind }) => kind === 'write').map(({ file }) => file));
    expect(Object.keys(MAY_WRITE).filter((file) => !writers.has(file))).toEqual([]);
  });

  it('a folder names only those tables of others that are listed for it', () => {
    const pairs = (tables: Readonly<Record<string, readonly string[]>>) =>
      Object.entries(tables).flatMap(([folder, all]) => all.map((table) => `${folder} reads ${table}, which ${OWNERS[table]} owns`));
    expect(pairs(foreignReads(uses))).toEqual(pairs(READS));
  });

  it('those tables are of folders no higher than its own, save where a reason is given', () => {
    const layerOf = (folder: string | undefined) => placeOf(`${folder}/`).layer;
    const upward = Object.entries(READS).filter(([folder, tables]) => tables.some((table) => layerOf(OWNERS[table]) > layerOf(folder)));
    expect(upward.map(([folder]) => folder)).toEqual(Object.keys(READS_ABOVE));
  });

  it('only its owner spells the states of a table', () => {
    expect(foreignStates(found).map(({ what, where }) => `${what} (${where})`)).toEqual([]);
  });
});

describe('transactions', () => {
  const waysIn = (texts: Readonly<Record<string, string>>) =>
    foreignWaits(Object.keys(texts), texts).map(({ file, way }) => `${file}: ${way.join(' → ')}`);

  it('wait for nothing outside the database: no server, process, person or clock', () => {
    const waits = foreignWaits(FILES).map(({ file, line, way }) => `${file}:${line} ${way.join(' → ')}`);
    expect(waits).toEqual([]);
  });

  it('a wait is found in what a function calls, through methods and other files, and not in what runs after the commit', () => {
    const post = `import http from 'node:http';
      export const createPoster = () => ({ async post(url: string) { http.request(url); } });`;
    const deliver = `import { type Poster } from './post.ts'; export const attempt = (poster: Poster) => poster.post('http://a.example');`;
    const importing = "import { attempt } from './deliver.ts';";
    const inside = `${importing} export const change = (db, poster) => db.tx(async (tx) => { await attempt(poster); });`;
    const resolver = `${importing} procedure.meta({ openapi: { method: 'POST' } }).mutation(({ ctx }) => attempt(ctx.poster));`;
    const texts = {
      'src/post.ts': post,
      'src/deliver.ts': deliver,
      'src/inside.ts': inside,
      'src/resolver.ts': resolver,
      'src/after.ts': `${importing} export const change = (db, poster) => db.tx((tx) => tx.afterCommit(() => attempt(poster)));`,
      'src/apart.ts': resolver.replace('{ openapi', '{ callsOut: true, openapi'),
      'src/type.ts': `import type { Socket } from 'node:net'; export const change = (tx: Tx, socket: Socket) => tx.query(socket.id);`,
    };
    expect(waysIn(texts)).toEqual(['src/inside.ts: attempt → .post → node:http', 'src/resolver.ts: attempt → .post → node:http']);
  });
});

describe('what libraries do not promise', () => {
  const nodemailer = { file: 'src/mail/nodemailer.ts', test: 'test/mail/nodemailer-upgrade.test.ts' };
  const agenda = { file: 'src/jobs/agenda.ts', test: 'test/jobs/agenda-upgrade.db.test.ts' };
  const promClient = { file: 'src/monitoring/open-metrics.ts', test: 'test/monitoring/prom-client-upgrade.test.ts' };
  /** Who may touch it, and the test that fails when an upgrade changes it. */
  const ADAPTERS: Readonly<Record<string, { file: string; test: string }>> = {
    'nodemailer/lib/base64': nodemailer,
    'nodemailer/lib/mime-funcs': nodemailer,
    'nodemailer/lib/mime-node': nodemailer,
    'nodemailer/lib/qp': nodemailer,
    'nodemailer/lib/smtp-connection': nodemailer,
    'nodemailer/lib/xoauth2': nodemailer,
    '.attrs': agenda,
    'Object.create': promClient,
    // The tests ask every procedure, those without a REST route too.
    '._def': { file: 'test/support/native.ts', test: 'test/api/trpc.db.test.ts' },
  };
  /** Modules and members that their packages document. */
  const DOCUMENTED: readonly string[] = [
    ...['@oclif/core/config', '@trpc/server/adapters/express', 'ajv/dist/2020.js', 'axe-core/axe.min.js'],
    ...['csv-parse/sync', 'csv-stringify/sync'],
    ...['@modelcontextprotocol/client/stdio', '@modelcontextprotocol/server/stdio'],
    ...['@trpc/server/observable', 'mailauth/lib/dkim/verify.js'],
    ...['rolldown/utils', 'typescript/package.json', 'vitest/node'],
    // The id of a job, at Agenda.
    '._id',
  ];
  const here = 'test/architecture.test.ts';
  const uses = privateUses(globSync('{src,commands,migrations,bench,bin,test}/**/*.{ts,tsx,js}').filter((file) => file !== here));
  // The attributes of parse5's elements have the name of those of Agenda's jobs.
  const isParse5 = ({ what, file }: PrivateUse) => what === '.attrs' && file === 'test/html/tags.test.ts';
  const isTestDouble = ({ what, file }: PrivateUse) => what === 'Object.create' && file.startsWith('test/');

  it('is touched by one file for each library, and its test', () => {
    const isAllowed = ({ what, file }: PrivateUse) => file === ADAPTERS[what]?.file || file === ADAPTERS[what]?.test;
    const wrong = uses.filter((use) => !DOCUMENTED.includes(use.what) && !isAllowed(use) && !isParse5(use) && !isTestDouble(use));
    expect(wrong.map(({ what, file, line }) => `${file}:${line} ${what}`)).toEqual([]);
  });

  it('is still touched there, and has a test named after the upgrade that would break it', () => {
    const touched = Object.entries(ADAPTERS).filter(([what, { file }]) => uses.some((use) => use.what === what && use.file === file));
    expect(touched.map(([what]) => what)).toEqual(Object.keys(ADAPTERS));
    expect(Object.values(ADAPTERS).filter(({ test }) => !existsSync(test))).toEqual([]);
  });
});
