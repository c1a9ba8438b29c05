import { globSync } from 'node:fs';
import { Composer } from './compose.ts';
import { Modules, nodesIn } from './modules.ts';
import { tablesMadeBy } from './uses.ts';

/** The tables that the migrations leave behind when all have run, by name. Names what no parser can read. */
export function tablesOfMigrations(): string[] {
  const modules = new Modules();
  const composer = new Composer(modules);
  const tables = new Set<string>();
  for (const path of globSync('migrations/[0-9]*.ts').sort()) {
    const module = modules.get(path);
    const up =
      module &&
      nodesIn(module.program).find((node) => node.type === 'MethodDefinition' && node.key.type === 'Identifier' && node.key.name === 'up');
    if (module === undefined || up === undefined) throw new Error(`${path} has no up()`);
    for (const node of nodesIn(up)) {
      if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.arguments[0] === undefined) continue;
      const [text = []] = composer.composeText(module, node.arguments[0]);
      const { made, dropped } = tablesMadeBy(text.map((part) => (part.kind === 'text' ? part.text : '')).join(''));
      for (const table of dropped) tables.delete(table);
      for (const table of made) tables.add(table);
    }
  }
  return [...tables].sort();
}
