import fc from 'fast-check';
import { type Asked, person } from './search-asked.ts';
import type { Leaf, Node, Test, Value } from './search-reference.ts';

/** Generates any valid query over those fields, with sugar. */
export function queriesOf(asked: readonly Asked[]): fc.Arbitrary<Node> {
  const plain = asked.map(({ field, value, hasAny }) => {
    const special = fc.constantFrom<Value>({ kind: 'any', text: '*' }, { kind: 'none', text: 'None' });
    const values =
      field === ''
        ? fc.array(value, { minLength: 1, maxLength: 1 })
        : fc.array(fc.oneof({ weight: 5, arbitrary: value }, special), { minLength: 1, maxLength: 2 });
    const prefixes = ['industry', 'employees', 'renewal', 'seen', 'vip'].includes(field) ? ['', 'cf.', 'CF.'] : [''];
    return fc
      .record({ values, prefix: fc.constantFrom(...prefixes) })
      .map(({ values: all, prefix }): Leaf => ({ kind: 'leaf', field: prefix + field, values: all, hasAny }));
  });
  const ofEnrolments = plain.filter((_, at) => ['campaign', 'campaign_id', 'status', 'step'].includes(asked[at]?.field ?? ''));
  // Half of the trees contain mostly enrolments, since their meaning depends on the terms around them.
  return fc.oneof(
    treeOf(fc.oneof(...plain, sugared(asked))),
    treeOf(fc.oneof(...ofEnrolments, ...ofEnrolments, ...ofEnrolments, ...plain)),
  );
}

function treeOf(leaf: fc.Arbitrary<Leaf>): fc.Arbitrary<Node> {
  return fc.letrec<{ node: Node }>((tie) => {
    const operands = fc.array(tie('node'), { minLength: 2, maxLength: 3 });
    const not = fc.record({ kind: fc.constant('not' as const), operand: tie('node'), sign: fc.constantFrom('-', 'NOT ') });
    const group = fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), operands });
    return {
      node: fc.oneof({ maxDepth: 4 }, { weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: not }, { weight: 3, arbitrary: group }),
    };
  }).node;
}

/** Generates `is:` and `has:`, which mean the same as the field itself. */
function sugared(asked: readonly Asked[]): fc.Arbitrary<Leaf> {
  const has = ['name', 'company', 'list', 'replied', 'last_sent', 'industry'];
  const is: Record<string, Test> = {
    archived: ({ isArchived }) => isArchived,
    suppressed: ({ isSuppressed }) => isSuppressed,
    shared: ({ isShared }) => isShared,
    replied: (who, view) => asked.find(({ field }) => field === 'replied')?.hasAny(who, view) ?? false,
    vip: ({ custom }) => custom.vip === 'true',
  };
  const tests = [
    ...has.map((text) => ({ field: 'has', text, test: asked.find(({ field }) => field === text)?.hasAny ?? (() => false) })),
    ...Object.entries(is).map(([text, test]) => ({ field: 'is', text, test })),
  ];
  return fc
    .constantFrom(...tests)
    .map(({ field, text, test }): Leaf => ({ kind: 'leaf', field, values: [person(text, test)], hasAny: test }));
}
