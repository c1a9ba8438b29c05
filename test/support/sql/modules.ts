import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type ESTree, parseSync } from 'rolldown/utils';

export type Node = ESTree.Node;

/** A TypeScript file, parsed. */
export interface Module {
  path: string;
  text: string;
  program: ESTree.Program;
  parents: ReadonlyMap<Node, Node>;
  /** Local names that stand for what other files of the project export. */
  imports: ReadonlyMap<string, { from: string; name: string }>;
}

export type FunctionLike = ESTree.Function | Extract<Node, { type: 'ArrowFunctionExpression' }>;

/** What a name stands for where it is used. */
export type Binding =
  | { kind: 'value'; module: Module; init: ESTree.Expression; annotation: string | undefined }
  | { kind: 'function'; module: Module; fn: FunctionLike }
  | { kind: 'parameter'; module: Module; key: Node; annotation: string | undefined };

/** Reads files as they are asked for, each once. `texts` stands in for files that are not on the disk. */
export class Modules {
  readonly #texts: Readonly<Record<string, string>>;
  readonly #modules = new Map<string, Module | undefined>();

  constructor(texts: Readonly<Record<string, string>> = {}) {
    this.#texts = texts;
  }

  get(path: string): Module | undefined {
    if (!this.#modules.has(path)) this.#modules.set(path, this.#read(path));
    return this.#modules.get(path);
  }

  #read(path: string): Module | undefined {
    const text = this.#texts[path] ?? (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
    if (text === undefined) return undefined;
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
    return { path, text, program, parents: parentsIn(program), imports: importsIn(path, program) };
  }

  /** What the name stands for at that node. Undefined where that can't be told, such as names of packages. */
  lookup(module: Module, name: string, at: Node): Binding | undefined {
    for (let node: Node | undefined = at; node !== undefined; node = module.parents.get(node)) {
      const found = bindingIn(module, node, name);
      if (found !== undefined) return found;
    }
    const imported = module.imports.get(name);
    return imported === undefined ? undefined : this.exported(imported.from, imported.name);
  }

  /** What a file exports under a name, through however many files that hand it on. */
  exported(path: string, name: string): Binding | undefined {
    const module = this.get(path);
    if (module === undefined) return undefined;
    for (const statement of module.program.body) {
      if (statement.type === 'ExportNamedDeclaration') {
        const handedOn = statement.specifiers.find((specifier) => nameOf(specifier.exported) === name);
        if (handedOn !== undefined && statement.source !== null)
          return this.exported(resolve(path, statement.source.value), nameOf(handedOn.local));
        if (handedOn !== undefined) return bindingIn(module, module.program, nameOf(handedOn.local));
      }
      if (statement.type === 'ExportAllDeclaration') {
        const found = this.exported(resolve(path, statement.source.value), name);
        if (found !== undefined) return found;
      }
    }
    return bindingIn(module, module.program, name);
  }
}

/** Every node of a tree below `node`, in the order of the text. */
export function nodesIn(node: Node): Node[] {
  const nodes: Node[] = [];
  const add = (one: Node) => {
    nodes.push(one);
    for (const child of childrenOf(one)) add(child);
  };
  add(node);
  return nodes;
}

export const lineOf = (module: Module, offset: number): number => module.text.slice(0, offset).split('\n').length;

const nameOf = (node: { type: string; name?: string; value?: string }): string => node.name ?? node.value ?? '';

const resolve = (path: string, specifier: string): string =>
  specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

function parentsIn(program: ESTree.Program): Map<Node, Node> {
  const parents = new Map<Node, Node>();
  for (const node of nodesIn(program)) for (const child of childrenOf(node)) parents.set(child, node);
  return parents;
}

function importsIn(path: string, program: ESTree.Program): Map<string, { from: string; name: string }> {
  const imports = new Map<string, { from: string; name: string }>();
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const specifier of statement.specifiers)
      if (specifier.type === 'ImportSpecifier')
        imports.set(specifier.local.name, { from: resolve(path, statement.source.value), name: nameOf(specifier.imported) });
  }
  return imports;
}

/** The declaration of a name in that block or function itself. */
function bindingIn(module: Module, node: Node, name: string): Binding | undefined {
  if (node.type === 'Program' || node.type === 'BlockStatement') {
    for (const statement of node.body) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (declaration?.type === 'FunctionDeclaration' && declaration.id?.name === name)
        return { kind: 'function', module, fn: declaration };
      if (declaration?.type !== 'VariableDeclaration') continue;
      for (const { id, init } of declaration.declarations) {
        if (init === null) continue;
        // `const [c, a] = [raw(campaign), raw(account)]`
        if (id.type === 'ArrayPattern' && init.type === 'ArrayExpression') {
          const element = init.elements[id.elements.findIndex((part) => part?.type === 'Identifier' && part.name === name)];
          if (element != null && element.type !== 'SpreadElement') return { kind: 'value', module, init: element, annotation: undefined };
        }
        if (id.type !== 'Identifier' || id.name !== name) continue;
        if (init.type === 'ArrowFunctionExpression') return { kind: 'function', module, fn: init };
        return { kind: 'value', module, init, annotation: annotationOf(module, id) };
      }
    }
  }
  if ('params' in node && Array.isArray(node.params)) {
    for (const parameter of node.params as Node[]) {
      const key = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
      if (key.type === 'Identifier' && key.name === name) return { kind: 'parameter', module, key, annotation: annotationOf(module, key) };
      const taken = nodesIn(key).find((part) => part.type === 'Identifier' && part.name === name);
      if (taken !== undefined) return { kind: 'parameter', module, key: taken, annotation: undefined };
    }
  }
  return undefined;
}

/** The text of the type that follows a name. */
export function annotationOf(module: Module, node: { typeAnnotation?: Node | null | undefined }): string | undefined {
  return node.typeAnnotation == null ? undefined : module.text.slice(node.typeAnnotation.start + 1, node.typeAnnotation.end).trim();
}
