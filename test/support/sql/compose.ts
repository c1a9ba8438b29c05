import type { ESTree } from 'rolldown/utils';
import { annotationOf, type Binding, type FunctionLike, type Module, type Modules, type Node } from './modules.ts';

/**
 * A piece of a statement: text as somebody wrote it; `value`, which travels as a parameter; `hole`, a fragment or a name that
 * only the running program knows; `unknown`, one of the two.
 */
export type Part = { module: Module; at: number } & ({ kind: 'text'; text: string } | { kind: 'value' | 'hole' | 'unknown' });

/** The pieces of a statement, or fragment, in one of the ways in which it can turn out. */
export type Text = readonly Part[];

/** What parameters of functions stand for, by their declarations. */
type Scope = ReadonlyMap<Node, { module: Module; node: ESTree.Argument; scope: Scope }>;

const NO_SCOPE: Scope = new Map();
/** Functions that give a statement a name. */
const PREPARING = ['prepared'];
/** Calls within calls that are followed. */
const MAX_DEPTH = 12;
/** Ways to put a statement together that are looked at. */
const MAX_WAYS = 24;

/**
 * Puts statements together as the program would: fragments by name, by call and by condition are followed into whatever
 * file they stand in, and every piece remembers where that is.
 */
export class Composer {
  readonly #modules: Modules;

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  /** All ways to put the template, call or text together that `node` is; undefined when it is no SQL. */
  compose(module: Module, node: Node): readonly Text[] | undefined {
    return this.#sql(module, node, NO_SCOPE, 0);
  }

  /** The same for SQL in a plain string: `client.query('…')`. */
  composeText(module: Module, node: Node): readonly Text[] {
    return this.#text(module, node, NO_SCOPE, 0);
  }

  #sql(module: Module, node: Node, scope: Scope, depth: number): readonly Text[] | undefined {
    const hole: readonly Text[] = [[{ kind: 'hole', module, at: node.start }]];
    if (depth > MAX_DEPTH) return hole;
    switch (node.type) {
      case 'TaggedTemplateExpression':
        return isNamed(node.tag, 'sql') ? this.#template(module, node.quasi, scope, depth) : undefined;
      case 'ConditionalExpression': {
        const [one, other] = [node.consequent, node.alternate].map((branch) => this.#sql(module, branch, scope, depth));
        return one === undefined && other === undefined ? undefined : [...(one ?? hole), ...(other ?? hole)];
      }
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        return this.#sql(module, node.expression, scope, depth);
      case 'Identifier':
        if (node.name === 'empty') return [[]];
        return this.#named(module, node, node.name, scope, depth);
      case 'CallExpression':
        return this.#call(module, node, scope, depth);
      default:
        return undefined;
    }
  }

  #named(module: Module, node: Node, name: string, scope: Scope, depth: number): readonly Text[] | undefined {
    const binding = this.#modules.lookup(module, name, node);
    if (binding === undefined || binding.kind === 'function') return undefined;
    if (binding.kind === 'value') {
      const found = this.#sql(binding.module, binding.init, binding.module === module ? scope : NO_SCOPE, depth + 1);
      return found ?? (binding.annotation === 'Sql' ? [[{ kind: 'hole', module, at: node.start }]] : undefined);
    }
    const given = scope.get(binding.key);
    if (given !== undefined) return this.#sql(given.module, given.node, given.scope, depth + 1);
    return binding.annotation === 'Sql' ? [[{ kind: 'hole', module, at: node.start }]] : undefined;
  }

  #call(module: Module, node: Extract<Node, { type: 'CallExpression' }>, scope: Scope, depth: number): readonly Text[] | undefined {
    const hole: readonly Text[] = [[{ kind: 'hole', module, at: node.start }]];
    const [first] = node.arguments;
    if (first === undefined && node.callee.type !== 'Identifier') return undefined;
    if (isNamed(node.callee, 'raw') && first !== undefined) return this.#text(module, first, scope, depth);
    if (isNamed(node.callee, 'sql')) return hole;
    if (PREPARING.some((name) => isNamed(node.callee, name)))
      return node.arguments.map((argument) => this.#sql(module, argument, scope, depth)).find((found) => found !== undefined) ?? hole;
    if (isNamed(node.callee, 'join') && first !== undefined) return this.#join(module, first, node.arguments[1], scope, depth);
    const fn = this.#calledFunction(module, node.callee);
    if (fn === undefined) return undefined;
    return this.#result(fn.module, fn.fn, node.arguments, { module, scope }, depth);
  }

  #calledFunction(module: Module, callee: Node): Extract<Binding, { kind: 'function' }> | undefined {
    if (callee.type === 'Identifier') {
      const binding = this.#modules.lookup(module, callee.name, callee);
      return binding?.kind === 'function' ? binding : undefined;
    }
    if (callee.type !== 'MemberExpression' || callee.object.type !== 'ThisExpression') return undefined;
    const method = module.text.slice(callee.property.start, callee.property.end);
    for (let node: Node | undefined = callee; node !== undefined; node = module.parents.get(node)) {
      if (node.type !== 'ClassBody') continue;
      const found = node.body.find((member) => member.type === 'MethodDefinition' && textOf(module, member.key) === method);
      return found?.type === 'MethodDefinition' ? { kind: 'function', module, fn: found.value } : undefined;
    }
    return undefined;
  }

  /** What a function returns when it is called with these arguments. */
  #result(
    module: Module,
    fn: FunctionLike,
    given: readonly ESTree.Argument[],
    caller: { module: Module; scope: Scope },
    depth: number,
  ): readonly Text[] | undefined {
    const scope = new Map([...caller.scope]);
    for (const [index, parameter] of fn.params.entries()) {
      const key = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
      const node = given[index] ?? (parameter.type === 'AssignmentPattern' ? parameter.right : undefined);
      if (node === undefined) scope.delete(key);
      else scope.set(key, { module: caller.module, node, scope: caller.scope });
    }
    const results = returnedBy(fn).flatMap((node) => this.#sql(module, node, scope, depth + 1) ?? []);
    if (results.length > 0) return results.slice(0, MAX_WAYS);
    const type = fn.returnType == null ? undefined : annotationOf(module, { typeAnnotation: fn.returnType });
    return type === 'Sql' ? [[{ kind: 'hole', module, at: fn.start }]] : undefined;
  }

  /** `join([a, b], ' and ')`; of a list that is made, one member is put together, twice where nothing else is known. */
  #join(module: Module, list: Node, separator: Node | undefined, scope: Scope, depth: number): readonly Text[] {
    const between: Part = { kind: 'text', text: separator?.type === 'Literal' ? String(separator.value) : ',', module, at: list.start };
    if (list.type === 'ArrayExpression') {
      // What is spread among them may be none.
      const elements = list.elements.filter((element) => element !== null && element.type !== 'SpreadElement');
      const members = elements.map((element) => this.#sql(module, element as Node, scope, depth) ?? [[]]);
      return this.#combine(members.flatMap((ways, index) => (index === 0 ? [ways] : [[[between]], ways])));
    }
    const made = list.type === 'CallExpression' ? list.arguments[0] : undefined;
    const ways =
      made?.type === 'ArrowFunctionExpression' ? returnedBy(made).flatMap((node) => this.#sql(module, node, scope, depth + 1) ?? []) : [];
    return ways.length > 0 ? ways : [[{ kind: 'hole', module, at: list.start }]];
  }

  #template(module: Module, template: ESTree.TemplateLiteral, scope: Scope, depth: number): readonly Text[] {
    return this.#combine(
      template.quasis.flatMap((quasi, index) => {
        const text: readonly Text[] = [[{ kind: 'text', text: quasi.value.cooked ?? quasi.value.raw, module, at: quasi.start + 1 }]];
        const expression = template.expressions[index];
        if (expression === undefined) return [text];
        const known = this.#sql(module, expression, scope, depth);
        return [text, known ?? [[{ kind: this.#isValue(module, expression, scope) ? 'value' : 'unknown', module, at: expression.start }]]];
      }),
    );
  }

  /** Whether an expression that is no fragment can be told to be a value. */
  #isValue(module: Module, node: Node, scope: Scope): boolean {
    if (node.type !== 'Identifier') return node.type !== 'CallExpression' && node.type !== 'MemberExpression';
    const binding = this.#modules.lookup(module, node.name, node);
    if (binding?.kind === 'parameter' && scope.has(binding.key)) return true;
    return binding !== undefined && binding.kind !== 'function' && binding.annotation !== undefined && binding.annotation !== 'Sql';
  }

  /** SQL that is a plain string: names and words that no parameter can stand for. */
  #text(module: Module, node: Node, scope: Scope, depth: number): readonly Text[] {
    const hole: readonly Text[] = [[{ kind: 'hole', module, at: node.start }]];
    if (depth > MAX_DEPTH) return hole;
    if (node.type === 'Literal' && typeof node.value === 'string')
      return [[{ kind: 'text', text: node.value, module, at: node.start + 1 }]];
    if (node.type === 'ConditionalExpression')
      return [node.consequent, node.alternate].flatMap((branch) => this.#text(module, branch, scope, depth));
    if (node.type === 'TemplateLiteral')
      return this.#combine(
        node.quasis.flatMap((quasi, index) => {
          const text: readonly Text[] = [[{ kind: 'text', text: quasi.value.cooked ?? quasi.value.raw, module, at: quasi.start + 1 }]];
          const expression = node.expressions[index];
          return expression === undefined ? [text] : [text, this.#text(module, expression, scope, depth)];
        }),
      );
    if (node.type !== 'Identifier') return hole;
    const binding = this.#modules.lookup(module, node.name, node);
    if (binding?.kind === 'value') return this.#text(binding.module, binding.init, binding.module === module ? scope : NO_SCOPE, depth + 1);
    const given = binding?.kind === 'parameter' ? scope.get(binding.key) : undefined;
    return given === undefined ? hole : this.#text(given.module, given.node, given.scope, depth + 1);
  }

  /** Every place's ways, one place after the other: all of them occur, not all of them with one another. */
  #combine(places: readonly (readonly Text[])[]): readonly Text[] {
    const first = places.map((ways) => ways[0] ?? []);
    const others = places.flatMap((ways, place) => ways.slice(1).map((way) => first.with(place, way).flat()));
    return [first.flat(), ...others].slice(0, MAX_WAYS);
  }
}

const textOf = (module: Module, node: Node): string => module.text.slice(node.start, node.end);

const isNamed = (node: Node, name: string): boolean => node.type === 'Identifier' && node.name === name;

/** The expressions that a function gives back. */
function returnedBy(fn: FunctionLike): Node[] {
  if (fn.body === null) return [];
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const returned: Node[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'ReturnStatement' && node.argument !== null) returned.push(node.argument);
    if (node.type === 'BlockStatement') for (const statement of node.body) visit(statement);
    if (node.type === 'IfStatement') for (const branch of [node.consequent, node.alternate]) if (branch !== null) visit(branch);
  };
  visit(fn.body);
  return returned;
}
