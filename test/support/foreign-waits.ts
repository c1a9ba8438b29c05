import { dirname, join, normalize } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { lineOf, type Module, Modules, type Node, nodesIn } from './sql/modules.ts';

/** Modules whose functions wait for somebody else: servers, processes, people, the clock. */
const FOREIGN =
  /^(node:(net|tls|http|https|http2|dns|dns\/promises|dgram|child_process|timers|timers\/promises)|nodemailer(\/.*)?|imapflow|undici|mongodb|agenda|@trpc\/client|@inquirer\/password|open)$/;
/** What these modules export besides: it waits for nobody, or for the next turn of the event loop. */
const HARMLESS = new Set(['BlockList', 'STATUS_CODES', 'isIP', 'isIPv4', 'isIPv6', 'setImmediate']);
const FOREIGN_GLOBALS = new Set(['fetch', 'setTimeout', 'setInterval']);
/** Methods and objects of the database, which is what a transaction waits for. */
const DATABASE_METHODS = new Set(['query', 'tx', 'bulk', 'savepoint', 'within', 'forRequests']);
const DATABASE_OBJECTS = new Set(['tx', 'em', 'client']);
/** Objects that only compute, by methods that have the names of others. */
const COMPUTING_OBJECTS = new Set(['sealer']);
/** Methods of the language and of streams: such a name says nothing about files that the caller does not know. */
const BUILT_IN = new Set(
  [Map, Set, WeakMap, Array, Promise, String, Date, RegExp, Function, Object, Readable, Writable, AbortController]
    .flatMap(({ prototype }) => prototypesOf(prototype))
    .flatMap((prototype) => Object.getOwnPropertyNames(prototype)),
);
/** A function in this call runs after the commit. */
const AFTERWARDS = 'afterCommit';

function prototypesOf(prototype: object | null): object[] {
  return prototype === null ? [] : [prototype, ...prototypesOf(Object.getPrototypeOf(prototype))];
}

type Callable = Extract<Node, { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }>;

interface Place {
  module: Module;
  fn: Callable;
}

const isFunction = (node: Node | null | undefined): node is Callable =>
  node?.type === 'FunctionDeclaration' || node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression';

const nameOf = (key: Node): string => {
  if (key.type === 'Identifier' || key.type === 'PrivateIdentifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : '';
};

/** A function that runs inside a transaction, and the way from it to what it waits for. */
export interface ForeignWait {
  file: string;
  line: number;
  /** The functions on the way, then the module, for example `['attempt', 'post', 'node:http']`. */
  way: string[];
}

/**
 * Finds the functions that run inside a transaction and reach something foreign. Those that take a `tx` run in one, and so do
 * the resolvers of POST operations, since a request with an Idempotency-Key is one transaction, unless their metadata says
 * `callsOut`. Calls are followed by name: a method leads to every method of that name in the files that the caller stands on, or,
 * when they have none, to those of the whole program, which may have been handed in.
 * @param files paths from the root of the project
 * @param texts the files that are not on the disk
 */
export function foreignWaits(files: readonly string[], texts: Readonly<Record<string, string>> = {}): ForeignWait[] {
  const modules = new Modules(texts);
  const program = files.map((file) => modules.get(file)).filter((module) => module !== undefined);
  const roots = program.flatMap((module) => rootsOf(module).map((fn) => ({ module, fn })));
  const ways = waysOut(new Calls(modules, methodsOf(program)), roots);
  return roots.flatMap(({ module, fn }) => {
    const way = ways.get(fn);
    return way === undefined ? [] : [{ file: module.path, line: lineOf(module, fn.start), way }];
  });
}

/** The shortest way from each function that the roots reach to something foreign. Those without one are left out. */
function waysOut(calls: Calls, roots: readonly Place[]): ReadonlyMap<Callable, string[]> {
  const ways = new Map<Callable, string[]>();
  const callers = new Map<Callable, { from: Callable; name: string }[]>();
  const places = [...roots];
  const seen = new Set(places.map(({ fn }) => fn));
  for (const place of places)
    for (const { name, to } of calls.of(place)) {
      if (to === undefined && !ways.has(place.fn)) ways.set(place.fn, [name]);
      if (to === undefined) continue;
      callers.set(to.fn, [...(callers.get(to.fn) ?? []), { from: place.fn, name }]);
      if (!seen.has(to.fn)) places.push(to);
      seen.add(to.fn);
    }
  // A Map yields what is added while it is walked through.
  for (const [fn, way] of ways) for (const { from, name } of callers.get(fn) ?? []) if (!ways.has(from)) ways.set(from, [name, ...way]);
  return ways;
}

/** The functions of a file that run inside a transaction. */
function rootsOf(module: Module): Callable[] {
  return nodesIn(module.program)
    .filter(isFunction)
    .filter((fn) => takesTransaction(module, fn) || isPostResolver(module, fn));
}

const takesTransaction = (module: Module, fn: Callable): boolean =>
  fn.params.some((parameter) => parameter.type === 'Identifier' && parameter.name === 'tx') &&
  // The first member of the chain is what hands the transaction out.
  !module.path.startsWith('src/db/');

/** True for `resolver` in `procedure.meta({ openapi: { method: 'POST' } }).input(…).mutation(resolver)`. */
function isPostResolver(module: Module, fn: Callable): boolean {
  const call = module.parents.get(fn);
  if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression' || nameOf(call.callee.property) !== 'mutation')
    return false;
  const meta = nodesIn(call.callee.object).find(
    (node) => node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'meta',
  );
  const text = meta === undefined ? '' : module.text.slice(meta.start, meta.end);
  return /method: 'POST'/.test(text) && !/callsOut: true/.test(text);
}

/** Every method of a class and every function in an object, by name. */
function methodsOf(program: readonly Module[]): Map<string, Place[]> {
  const methods = new Map<string, Place[]>();
  for (const module of program)
    for (const node of nodesIn(module.program)) {
      if (node.type !== 'MethodDefinition' && node.type !== 'PropertyDefinition' && node.type !== 'Property') continue;
      if (!isFunction(node.value)) continue;
      const name = nameOf(node.key);
      methods.set(name, [...(methods.get(name) ?? []), { module, fn: node.value }]);
    }
  return methods;
}

/** A call: of a function, or, without `to`, of something foreign. */
interface Call {
  name: string;
  to?: Place;
}

/** Finds the calls of functions. A function that is only named counts as called: whoever gets it may call it. */
class Calls {
  readonly #modules: Modules;
  readonly #methods: ReadonlyMap<string, readonly Place[]>;
  readonly #closures = new Map<Module, ReadonlySet<string>>();

  constructor(modules: Modules, methods: ReadonlyMap<string, readonly Place[]>) {
    this.#modules = modules;
    this.#methods = methods;
  }

  of({ module, fn }: Place): Call[] {
    return [...valuesIn(fn)].flatMap((node) => {
      if (node.type === 'ImportExpression') return foreignImport(node);
      if (node.type === 'Identifier') return this.#byName(module, node);
      return node.type === 'CallExpression' && node.callee.type === 'MemberExpression' ? this.#ofMethod(module, node.callee) : [];
    });
  }

  #byName(module: Module, node: Extract<Node, { type: 'Identifier' }>): Call[] {
    const { name } = node;
    const binding = this.#modules.lookup(module, name, node);
    if (binding?.kind === 'function') return [{ name, to: { module: binding.module, fn: binding.fn as Callable } }];
    if (binding !== undefined) return [];
    const foreign = foreignNames(module).get(name) ?? (FOREIGN_GLOBALS.has(name) ? name : undefined);
    return foreign === undefined ? [] : [{ name: foreign }];
  }

  #ofMethod(module: Module, { object, property }: Extract<Node, { type: 'MemberExpression' }>): Call[] {
    const receiver = object.type === 'MemberExpression' ? nameOf(object.property) : nameOf(object);
    const name = nameOf(property);
    if (DATABASE_OBJECTS.has(receiver) || COMPUTING_OBJECTS.has(receiver) || DATABASE_METHODS.has(name)) return [];
    const all = this.#methods.get(name) ?? [];
    const below = this.#below(module);
    const known = all.filter((place) => below.has(place.module.path));
    return (known.length > 0 || BUILT_IN.has(name) ? known : all).map((to) => ({ name: `.${name}`, to }));
  }

  /** The file and all that it imports, types too, down to the last. */
  #below(module: Module): ReadonlySet<string> {
    const known = this.#closures.get(module);
    if (known !== undefined) return known;
    const paths = new Set([module.path]);
    for (const path of paths) for (const next of importedBy(this.#modules.get(path))) paths.add(next);
    this.#closures.set(module, paths);
    return paths;
  }
}

const importedBy = (module: Module | undefined): string[] =>
  (module?.program.body ?? []).flatMap((statement) => {
    const source = 'source' in statement ? statement.source : null;
    return source?.value.startsWith('.') ? [normalize(join(dirname(module?.path ?? ''), source.value))] : [];
  });

function foreignImport(node: Extract<Node, { type: 'ImportExpression' }>): Call[] {
  const name = node.source.type === 'Literal' ? String(node.source.value) : '';
  return FOREIGN.test(name) ? [{ name }] : [];
}

const namesByModule = new WeakMap<Module, ReadonlyMap<string, string>>();

/** The names that a file imports, as values, from foreign modules. */
function foreignNames(module: Module): ReadonlyMap<string, string> {
  const known = namesByModule.get(module);
  if (known !== undefined) return known;
  const names = new Map<string, string>();
  for (const statement of module.program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type' || !FOREIGN.test(statement.source.value)) continue;
    for (const specifier of statement.specifiers) {
      const isValue =
        specifier.type !== 'ImportSpecifier' || (specifier.importKind !== 'type' && !HARMLESS.has(nameOf(specifier.imported)));
      if (isValue) names.set(specifier.local.name, statement.source.value);
    }
  }
  namesByModule.set(module, names);
  return names;
}

/** The nodes below a function that stand for values: no types, no names of members, nothing that waits for the commit. */
function* valuesIn(node: Node): Generator<Node> {
  if (node.type.startsWith('TS') && !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(node.type)) return;
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === AFTERWARDS) return;
  yield node;
  for (const [field, value] of Object.entries(node)) {
    if (field === 'property' && node.type === 'MemberExpression' && !node.computed) continue;
    if (field === 'key' && (node.type === 'Property' || node.type === 'MethodDefinition')) continue;
    for (const child of [value].flat())
      if (typeof child === 'object' && child !== null && 'type' in child && 'start' in child) yield* valuesIn(child as Node);
  }
}
