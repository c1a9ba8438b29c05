import { type Binding, lineOf, type Module, Modules, type Node, nodesIn } from './modules.ts';
import type { PlacedTable } from './statements.ts';

/**
 * Who can change rows through MikroORM: a file that defines an entity, and every file that imports one or its kind of record,
 * be it as a type, since whoever holds a managed row writes it by assigning to it.
 */
export function entityWrites(paths: readonly string[], texts: Readonly<Record<string, string>> = {}): PlacedTable[] {
  const modules = new Modules(texts);
  return paths.flatMap((path) => {
    const module = modules.get(path);
    return module === undefined ? [] : [...definedIn(modules, module), ...importedBy(modules, module)];
  });
}

function definedIn(modules: Modules, module: Module): PlacedTable[] {
  if (!module.text.includes('defineEntity(')) return [];
  return nodesIn(module.program).flatMap((node) => {
    if (node.type !== 'VariableDeclarator' || node.init === null) return [];
    const table = tableOf(modules, { kind: 'value', module, init: node.init, annotation: undefined });
    return table === undefined ? [] : [{ table, kind: 'write', at: 0, file: module.path, line: lineOf(module, node.start) }];
  });
}

function importedBy(modules: Modules, module: Module): PlacedTable[] {
  return [...module.imports].flatMap(([local, { from, name }]) => {
    if (!from.startsWith('src/')) return [];
    const table = tableOf(modules, modules.exported(from, name));
    const line = module.text.split('\n').findIndex((text) => new RegExp(`\\b${local}\\b`).test(text)) + 1;
    return table === undefined ? [] : [{ table, kind: 'write', at: 0, file: module.path, line }];
  });
}

/** The table of an entity, or of a kind of record, by which access changes its rows; undefined for everything else. */
function tableOf(modules: Modules, binding: Binding | undefined): string | undefined {
  if (binding?.kind !== 'value') return undefined;
  const { init, module, annotation } = binding;
  if (isCallOf(init, 'defineEntity')) return /tableName: '(\w+)'/.exec(module.text.slice(init.start, init.end))?.[1];
  if (!isCallOf(init, 'scopedRecord') && !annotation?.startsWith('RecordKind<')) return undefined;
  const names = nodesIn(init).flatMap((node) => (node.type === 'Identifier' ? [node.name] : []));
  const named = [...(annotation?.match(/\w+/g) ?? []), ...names].flatMap((name) => modules.lookup(module, name, init) ?? []);
  return named.map((value) => tableOf(modules, value)).find((table) => table !== undefined);
}

const isCallOf = (node: Node, name: string): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name;
