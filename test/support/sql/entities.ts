import { type Binding, lineOf, type Module, Modules, nodesIn } from './modules.ts';
import type { PlacedTable } from './statements.ts';

/**
 * Who can change rows through MikroORM: a file that defines an entity, and every file that imports one, be it as a type,
 * since whoever holds a managed row writes it by assigning to it.
 */
export function entityWrites(paths: readonly string[], texts: Readonly<Record<string, string>> = {}): PlacedTable[] {
  const modules = new Modules(texts);
  return paths.flatMap((path) => {
    const module = modules.get(path);
    return module === undefined ? [] : [...definedIn(module), ...importedBy(modules, module)];
  });
}

function definedIn(module: Module): PlacedTable[] {
  if (!module.text.includes('defineEntity(')) return [];
  return [...nodesIn(module.program)].flatMap((node) => {
    if (node.type !== 'VariableDeclarator' || node.init === null) return [];
    const table = tableOf({ kind: 'value', module, init: node.init, annotation: undefined });
    return table === undefined ? [] : [{ table, kind: 'write', at: 0, file: module.path, line: lineOf(module, node.start) }];
  });
}

function importedBy(modules: Modules, module: Module): PlacedTable[] {
  return [...module.imports].flatMap(([local, { from, name }]) => {
    if (!from.startsWith('src/')) return [];
    const table = tableOf(modules.exported(from, name));
    const line = module.text.split('\n').findIndex((text) => new RegExp(`\\b${local}\\b`).test(text)) + 1;
    return table === undefined ? [] : [{ table, kind: 'write', at: 0, file: module.path, line }];
  });
}

/** The table of an entity; undefined for everything else. */
function tableOf(binding: Binding | undefined): string | undefined {
  if (binding?.kind !== 'value' || binding.init.type !== 'CallExpression') return undefined;
  const { callee, arguments: given } = binding.init;
  if (callee.type !== 'Identifier' || callee.name !== 'defineEntity') return undefined;
  return /tableName: '(\w+)'/.exec(binding.module.text.slice(given[0]?.start ?? 0))?.[1];
}
