import { readFileSync } from 'node:fs';
import { lineOf, Modules, type Node, nodesIn } from './sql/modules.ts';

/** A use of something that its library may change in any release. */
export interface PrivateUse {
  /** Such as `nodemailer/lib/qp`, `._def`, `.attrs`, `client.connection`, `Object.create`. */
  what: string;
  file: string;
  line: number;
}

const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, object>;
const PACKAGES = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
const INSIDE_A_PACKAGE = new RegExp(`^(${PACKAGES.join('|')})/`);
/** What a file must hold to be worth parsing. */
const CLUE = new RegExp(
  `['"](${PACKAGES.join('|')})/|\\b_\\w|\\.attrs\\b|\\bclient\\.connection\\b|\\bObject\\.(create|setPrototypeOf)\\b`,
);

/**
 * Finds modules inside packages, members that begin with `_`, `.attrs`, `client.connection`, and objects that are made to
 * inherit from others. @param files paths from the root of the project
 */
export function privateUses(files: readonly string[]): PrivateUse[] {
  const modules = new Modules();
  return files.flatMap((file): PrivateUse[] => {
    if (!CLUE.test(readFileSync(file, 'utf8'))) return [];
    const module = modules.get(file);
    if (module === undefined) return [];
    return nodesIn(module.program).flatMap((node) => {
      const what = privatePart(node);
      return what === undefined ? [] : [{ what, file, line: lineOf(module, node.start) }];
    });
  });
}

function privatePart(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return INSIDE_A_PACKAGE.test(node.value) ? node.value : undefined;
  if (node.type === 'ObjectPattern')
    return node.properties.map((property) => (property.type === 'Property' ? memberOf(property.key) : undefined)).find(Boolean);
  if (node.type === 'CallExpression') {
    const [first] = node.arguments;
    const inherits =
      /^Object\.(create|setPrototypeOf)$/.test(calleeOf(node.callee)) && !(first?.type === 'Literal' && first.value === null);
    return inherits ? calleeOf(node.callee) : undefined;
  }
  if (node.type !== 'MemberExpression') return undefined;
  return calleeOf(node) === 'client.connection' ? 'client.connection' : memberOf(node.property);
}

const calleeOf = (node: Node): string =>
  node.type === 'MemberExpression' && node.object.type === 'Identifier' ? `${node.object.name}.${nameOf(node.property)}` : '';

const memberOf = (key: Node): string | undefined => {
  const name = nameOf(key);
  return /^_./.test(name) || name === 'attrs' ? `.${name}` : undefined;
};

const nameOf = (key: Node): string => {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : '';
};
