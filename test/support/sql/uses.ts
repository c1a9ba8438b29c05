import { loadModule, parseSync } from 'libpg-query';

await loadModule();

/** What a statement does with a table; `at` is where its name stands in the text. */
export interface TableUse {
  table: string;
  kind: 'read' | 'write';
  at: number;
}

/** A column that is compared with words that the statement spells out, such as `status = 'active'`. */
export interface WordUse {
  /** The tables that the column may belong to, none where it is one of a subquery; undefined where the text does not say. */
  tables: readonly string[] | undefined;
  column: string;
  words: readonly string[];
  /** Where the first of the words stands in the text. */
  at: number;
}

export interface Uses {
  tables: TableUse[];
  words: WordUse[];
}

type Tree = { readonly [field: string]: unknown };
/** The tables of one query by their aliases, empty for what is no table, and those of the query around it. */
interface Aliases {
  own: ReadonlyMap<string, string>;
  outer?: Aliases;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Asks PostgreSQL's own parser what a statement reads, writes and compares. Undefined when it is no SQL. */
export function usesOf(sql: string): Uses | undefined {
  let tree: unknown;
  try {
    tree = parseSync(sql);
  } catch {
    return undefined;
  }
  const reader = new TreeReader(commonTables(tree), byteOffsets(sql));
  reader.visit(tree, { own: new Map() });
  return reader.uses;
}

/** Names that the statement itself gives to results: they are no tables. */
function commonTables(tree: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(tree)) for (const part of tree) commonTables(part, found);
  else if (isTree(tree)) {
    if (isTree(tree.CommonTableExpr)) found.add(String(tree.CommonTableExpr.ctename));
    if (isTree(tree.CreateTableAsStmt)) found.add(relationOf((tree.CreateTableAsStmt.into as Tree).rel) ?? '');
    for (const part of Object.values(tree)) commonTables(part, found);
  }
  return found;
}

/** PostgreSQL counts bytes, strings count UTF-16 units. */
function byteOffsets(sql: string): (at: number) => number {
  const bytes = Buffer.from(sql);
  return bytes.length === sql.length ? (at) => at : (at) => bytes.subarray(0, at).toString().length;
}

const relationOf = (node: unknown): string | undefined => {
  const relation = isTree(node) && isTree(node.RangeVar) ? node.RangeVar : node;
  return isTree(relation) &&
    typeof relation.relname === 'string' &&
    !['pg_catalog', 'information_schema'].includes(String(relation.schemaname))
    ? relation.relname
    : undefined;
};

const WRITING = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);
/** FOR UPDATE names tables by their aliases; the others make and drop tables. */
const TOUCHING_NO_ROWS = new Set(['LockingClause', 'into', 'DropStmt']);

/** A SELECT, also as one side of a UNION; the sides of a join have these names too. */
const isQuery = (name: string, node: Tree): boolean =>
  name === 'SelectStmt' || ((name === 'larg' || name === 'rarg') && node.op !== undefined);

class TreeReader {
  readonly uses: Uses = { tables: [], words: [] };
  readonly #common: ReadonlySet<string>;
  readonly #offset: (at: number) => number;

  constructor(common: ReadonlySet<string>, offset: (at: number) => number) {
    this.#common = common;
    this.#offset = offset;
  }

  visit(node: unknown, aliases: Aliases): void {
    if (Array.isArray(node)) for (const part of node) this.visit(part, aliases);
    else if (isTree(node)) for (const [name, part] of Object.entries(node)) this.#visitNamed(name, part, aliases);
  }

  #visitNamed(name: string, node: unknown, aliases: Aliases): void {
    if (!isTree(node) || Array.isArray(node)) this.visit(node, aliases);
    else if (name === 'RangeVar') this.#add(node, 'read');
    else if (name === 'TruncateStmt') for (const relation of [node.relations].flat()) this.#add(relation, 'write');
    else if (WRITING.has(name)) this.#write(node, aliases);
    else if (!TOUCHING_NO_ROWS.has(name)) {
      if (name === 'CopyStmt' && node.relation !== undefined) this.#add(node.relation, node.is_from === true ? 'write' : 'read');
      if (name === 'A_Expr') this.#compareBothWays(node, aliases);
      if (name === 'CaseExpr') this.#compareCases(node, aliases);
      this.visit(node, isQuery(name, node) ? this.#aliasesIn([node.fromClause], aliases) : aliases);
    }
  }

  #write({ relation, ...rest }: Tree, aliases: Aliases): void {
    this.#add(relation, 'write');
    this.visit(rest, this.#aliasesIn([relation, rest.fromClause, rest.usingClause, rest.sourceRelation], aliases));
  }

  #add(node: unknown, kind: TableUse['kind']): void {
    const table = relationOf(node);
    const relation = (isTree(node) && isTree(node.RangeVar) ? node.RangeVar : node) as Tree;
    if (table === undefined || this.#common.has(table)) return;
    this.uses.tables.push({ table, kind, at: this.#offset(Number(relation.location ?? 0)) });
  }

  #aliasesIn(sources: readonly unknown[], outer: Aliases): Aliases {
    const own = new Map<string, string>();
    const add = (node: unknown): void => {
      if (Array.isArray(node)) for (const part of node) add(part);
      else if (isTree(node)) {
        const relation = isTree(node.RangeVar) ? node.RangeVar : typeof node.relname === 'string' ? node : undefined;
        const query = [node.RangeSubselect, node.RangeFunction].find(isTree);
        if (relation !== undefined) {
          const table = relationOf(relation) ?? '';
          own.set(aliasOf(relation) ?? table, this.#common.has(table) ? '' : table);
        } else if (query !== undefined) own.set(aliasOf(query) ?? '', '');
        else if (isTree(node.JoinExpr)) add([node.JoinExpr.larg, node.JoinExpr.rarg]);
      }
    };
    add(sources);
    return own.size === 0 ? outer : { own, outer };
  }

  #compareBothWays({ lexpr, rexpr }: Tree, aliases: Aliases): void {
    this.#compare(lexpr, rexpr, aliases);
    this.#compare(rexpr, lexpr, aliases);
  }

  #compareCases({ arg, args }: Tree, aliases: Aliases): void {
    for (const branch of [args].flat()) if (isTree(branch) && isTree(branch.CaseWhen)) this.#compare(arg, branch.CaseWhen.expr, aliases);
  }

  #compare(column: unknown, words: unknown, aliases: Aliases): void {
    if (!isTree(column) || !isTree(column.ColumnRef)) return;
    const spelt = wordsIn(words);
    const names = [column.ColumnRef.fields]
      .flat()
      .map((field) => (isTree(field) && isTree(field.String) ? String(field.String.sval) : '*'));
    const name = names.at(-1);
    if (spelt.length === 0 || name === undefined) return;
    const tables = tablesOf(names.at(-2), aliases);
    this.uses.words.push({ tables, column: name, words: spelt.map(({ word }) => word), at: this.#offset(spelt[0]?.at ?? 0) });
  }
}

/** The tables of the innermost query for a bare column, else that of the alias. */
function tablesOf(qualifier: string | undefined, aliases: Aliases | undefined): readonly string[] | undefined {
  if (aliases === undefined || aliases.own.size === 0) return undefined;
  const tables = qualifier === undefined ? [...aliases.own.values()] : [aliases.own.get(qualifier)];
  if (tables[0] === undefined) return tablesOf(qualifier, aliases.outer);
  return tables.filter((table): table is string => table !== undefined && table !== '');
}

const aliasOf = (node: Tree): string | undefined => {
  const alias = isTree(node.alias) ? node.alias : undefined;
  return alias === undefined ? undefined : String(isTree(alias.Alias) ? alias.Alias.aliasname : alias.aliasname);
};

/** The words of `'a'`, `('a', 'b')` and `'a'::text`. */
function wordsIn(node: unknown): { word: string; at: number }[] {
  if (Array.isArray(node)) return node.flatMap(wordsIn);
  if (!isTree(node)) return [];
  if (isTree(node.A_Const))
    return isTree(node.A_Const.sval) ? [{ word: String(node.A_Const.sval.sval), at: Number(node.A_Const.location ?? 0) }] : [];
  if (isTree(node.List)) return wordsIn(node.List.items);
  if (isTree(node.TypeCast)) return wordsIn(node.TypeCast.arg);
  if (isTree(node.A_ArrayExpr)) return wordsIn(node.A_ArrayExpr.elements);
  return [];
}

/** The tables that a script makes and drops; renaming one does both. Throws for what is no SQL. */
export function tablesMadeBy(script: string): { made: string[]; dropped: string[] } {
  const made: string[] = [];
  const dropped: string[] = [];
  for (const { stmt } of parseSync(script).stmts ?? []) {
    const statement = stmt as Tree;
    if (isTree(statement.CreateStmt)) made.push(relationOf(statement.CreateStmt.relation) ?? '');
    const { DropStmt: drop, RenameStmt: rename } = statement;
    if (isTree(rename) && rename.renameType === 'OBJECT_TABLE') {
      dropped.push(relationOf(rename.relation) ?? '');
      made.push(String(rename.newname));
    }
    if (isTree(drop) && drop.removeType === 'OBJECT_TABLE')
      for (const name of [drop.objects].flat()) dropped.push(...wordsOfName(name).slice(-1));
  }
  return { made, dropped };
}

const wordsOfName = (node: unknown): string[] =>
  isTree(node) && isTree(node.List)
    ? [node.List.items].flat().map((item) => (isTree(item) && isTree(item.String) ? String(item.String.sval) : ''))
    : [];
