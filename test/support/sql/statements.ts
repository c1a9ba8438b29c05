import { Composer, type Part, type Text } from './compose.ts';
import { lineOf, type Module, Modules, type Node, nodesIn } from './modules.ts';
import { type TableUse, type Uses, usesOf, type WordUse } from './uses.ts';

/** Where something stands: `file:line`. */
export interface Place {
  file: string;
  line: number;
}

export type PlacedTable = TableUse & Place;
export type PlacedWord = WordUse & Place;

/** What all SQL in some files does, and which of it could not be read. */
export interface Findings {
  tables: PlacedTable[];
  words: PlacedWord[];
  unread: Place[];
  /** How many statements and fragments were read. */
  read: number;
}

/** A table whose name only the running program knows. */
export const HOLE = 'hole';
/** A table that the reader adds to a fragment. */
const FRAME = 'frame';

/** Fragments are read as what they are a part of. */
const FRAMES: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['select ', ''],
  [`select 1 from ${FRAME} where true `, ''],
  ['select 1 from ', ''],
  ['select 1 ', ''],
  [`select 1 from ${FRAME} `, ''],
  ['with ', ' select 1'],
  [`insert into ${FRAME} values (1) `, ''],
  [`update ${FRAME} set `, ''],
];
/** What stands in for a fragment that only the running program knows, likeliest first. */
const STAND_INS = [HOLE, '', 'select 1', `${HOLE} = 1`, `from ${FRAME} where true`];
const MAX_TRIES = 300;

/** Reads every statement and fragment of SQL in these files. */
export function readSql(paths: readonly string[], texts: Readonly<Record<string, string>> = {}): Findings {
  const modules = new Modules(texts);
  const composer = new Composer(modules);
  const findings: Findings = { tables: [], words: [], unread: [], read: 0 };
  for (const path of paths) {
    const module = modules.get(path);
    if (module === undefined || !/\b(sql|raw|query|copyTo|copyFrom)\b/.test(module.text)) continue;
    for (const node of sqlIn(module)) {
      findings.read++;
      const ways =
        node.type === 'TaggedTemplateExpression' || isCallOf(node, 'raw')
          ? composer.compose(module, node)
          : composer.composeText(module, node);
      for (const text of ways ?? []) if (!addUses(findings, text)) findings.unread.push(placeOf(module, node.start));
    }
  }
  return { ...findings, tables: distinct(findings.tables), words: distinct(findings.words), unread: distinct(findings.unread) };
}

/** Templates of `sql`, text for `raw` that is more than a name, and statements that a client is given as text. */
function* sqlIn(module: Module): Generator<Node> {
  for (const node of nodesIn(module.program)) {
    if (node.type === 'TaggedTemplateExpression' && node.tag.type === 'Identifier' && node.tag.name === 'sql') yield node;
    if (node.type !== 'CallExpression') continue;
    const [first] = node.arguments;
    if (first === undefined || (first.type !== 'Literal' && first.type !== 'TemplateLiteral')) continue;
    if (isCallOf(node, 'raw') && /\s/.test(module.text.slice(first.start + 1, first.end - 1))) yield node;
    const { callee } = node;
    const isQuery = callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'query';
    if (isQuery || isCallOf(node, 'copyTo') || isCallOf(node, 'copyFrom')) yield first;
  }
}

const isCallOf = (node: Node, name: string): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name;

function addUses(findings: Findings, text: Text): boolean {
  const read = readText(text);
  if (read === undefined) return false;
  const placed = <Use extends { at: number }>(use: Use) => ({ ...use, ...read.placeAt(use.at) });
  findings.tables.push(...read.uses.tables.filter(({ table }) => table !== FRAME).map(placed));
  findings.words.push(...read.uses.words.map(placed));
  return true;
}

interface Read {
  uses: Uses;
  placeAt(at: number): Place;
}

/** Tries frames, and stand-ins for what is not known: all alike first, then one and two that differ. */
function readText(text: Text): Read | undefined {
  const open = text.flatMap((part, index) => (part.kind === 'hole' || part.kind === 'unknown' ? [index] : []));
  const choices = standIns(open);
  for (const chosen of choices) {
    for (const frame of FRAMES) {
      const written = write(text, chosen, frame);
      const uses = written.sql.trim() === '' ? undefined : usesOf(written.sql);
      if (uses !== undefined) return { uses, placeAt: written.placeAt };
    }
  }
  return undefined;
}

function standIns(open: readonly number[]): ReadonlyMap<number, string>[] {
  const choices: ReadonlyMap<number, string>[] = [new Map()];
  for (const one of open) for (const text of STAND_INS.slice(1)) choices.push(new Map([[one, text]]));
  for (const [index, one] of open.entries())
    for (const other of open.slice(index + 1))
      for (const first of STAND_INS.slice(1))
        for (const second of STAND_INS.slice(1))
          choices.push(
            new Map([
              [one, first],
              [other, second],
            ]),
          );
  return choices.slice(0, MAX_TRIES);
}

function write(
  text: Text,
  chosen: ReadonlyMap<number, string>,
  [before, after]: readonly [string, string],
): { sql: string; placeAt(at: number): Place } {
  let sql = before;
  const starts: { start: number; part: Part }[] = [];
  let parameter = 0;
  for (const [index, part] of text.entries()) {
    starts.push({ start: sql.length, part });
    if (part.kind === 'text') sql += part.text;
    else sql += chosen.get(index) ?? (part.kind === 'hole' ? HOLE : `$${++parameter}`);
  }
  const placeAt = (at: number): Place => {
    const { start, part } = starts.findLast((candidate) => candidate.start <= at) ?? (starts[0] as { start: number; part: Part });
    return placeOf(part.module, part.at + (part.kind === 'text' ? Math.max(0, at - start) : 0));
  };
  return { sql: sql + after, placeAt };
}

const placeOf = (module: Module, offset: number): Place => ({ file: module.path, line: lineOf(module, offset) });

function distinct<Item extends Place>(items: readonly Item[]): Item[] {
  const seen = new Map(items.map((item) => [JSON.stringify({ ...item, at: 0 }), item]));
  return [...seen.values()].sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
}
