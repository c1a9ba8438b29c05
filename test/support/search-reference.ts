import type { Caller } from '../../src/access/index.ts';
import type { Campaign, Enrolment, Person, World } from './search-world.ts';

/** A viewer and the world that they search. */
export interface View {
  world: World;
  caller: Caller;
}

export type Test = (person: Person, view: View) => boolean;

/** One value of a term: its text, and the contacts that it matches. */
export type Value = { text: string } & (
  | { kind: 'any' | 'none' }
  | { kind: 'person'; test: Test }
  | { kind: 'enrolment'; test: (enrolment: Enrolment) => boolean }
);

export interface Leaf {
  kind: 'leaf';
  /** Empty for text without a field. */
  field: string;
  values: Value[];
  /** For `*` and `none` of fields that do not belong to enrolments. */
  hasAny: Test;
}

export type Node = Leaf | { kind: 'not'; operand: Node; sign: string } | { kind: 'and' | 'or'; operands: Node[] };

const RANK: Record<string, number> = { campaign: 0, campaign_id: 0, status: 1, step: 2 };

/** Returns the query as text. */
export function written(node: Node): string {
  switch (node.kind) {
    case 'leaf':
      return `${node.field === '' ? '' : `${node.field}:`}${node.values.map(({ text }) => text).join(',')}`;
    case 'not':
      return `${node.sign}${node.operand.kind === 'leaf' ? written(node.operand) : `(${written(node.operand)})`}`;
    default:
      return node.operands
        .map((operand) => (operand.kind === 'and' || operand.kind === 'or' ? `(${written(operand)})` : written(operand)))
        .join(node.kind === 'or' ? ' OR ' : ' ');
  }
}

/** Returns the ids that the query matches, found by testing every person. */
export function expected(node: Node, view: View): number[] {
  const isArchivedWanted = mentionsArchived(node);
  return view.world.people
    .filter((person) => isVisible(person, view.caller) && (isArchivedWanted || !person.isArchived) && holds(node, person, view, undefined))
    .map(({ id }) => id);
}

const isVisible = (thing: { isShared: boolean; createdBy: number }, { role, userId }: Caller) =>
  role === 'admin' || thing.isShared || thing.createdBy === userId;

export const seesCampaign = (campaign: Campaign, { caller }: View): boolean => !campaign.isDeleted && isVisible(campaign, caller);

function mentionsArchived(node: Node): boolean {
  if (node.kind === 'leaf')
    return node.field === 'archived' || (node.field === 'is' && node.values.some(({ text }) => text === 'archived'));
  return node.kind === 'not' ? mentionsArchived(node.operand) : node.operands.some(mentionsArchived);
}

interface Scope {
  enrolment: Enrolment;
  rank: number;
}

function holds(node: Node, person: Person, view: View, scope: Scope | undefined): boolean {
  switch (node.kind) {
    case 'leaf':
      return leafHolds(node, person, view, scope);
    case 'not':
      return !holds(node.operand, person, view, scope);
    case 'or':
      return node.operands.some((operand) => holds(operand, person, view, scope));
    default:
      return allHold(flat(node.operands), person, view, scope);
  }
}

const flat = (nodes: Node[]): Node[] => nodes.flatMap((node) => (node.kind === 'and' ? flat(node.operands) : [node]));

const enrolmentsOf = (person: Person, view: View) => person.enrolments.filter(({ campaign }) => seesCampaign(campaign, view));

/** The strongest terms that name an enrolment include the weaker ones beside them; each matches an enrolment of its own. */
function allHold(operands: Node[], person: Person, view: View, scope: Scope | undefined): boolean {
  const rank = [0, 1, 2].find((at) => (scope === undefined || at <= scope.rank) && operands.some((operand) => isName(operand, at)));
  if (rank === undefined) return operands.every((operand) => holds(operand, person, view, scope));
  const weaker = operands.filter((operand) => !isName(operand, rank) && hasWeaker(operand, rank));
  return operands.every((operand) => {
    if (weaker.includes(operand)) return true;
    if (!isName(operand, rank)) return holds(operand, person, view, scope);
    return enrolmentsOf(person, view).some(
      (enrolment) => fits(operand, enrolment) && weaker.every((other) => holds(other, person, view, { enrolment, rank })),
    );
  });
}

function isName(node: Node, rank: number): boolean {
  if (node.kind === 'or') return node.operands.every((operand) => isName(operand, rank));
  return node.kind === 'leaf' && RANK[node.field] === rank && node.values.every(({ kind }) => kind !== 'none');
}

function hasWeaker(node: Node, rank: number): boolean {
  if (node.kind === 'leaf') return (RANK[node.field] ?? -1) > rank;
  return node.kind === 'not' ? hasWeaker(node.operand, rank) : node.operands.some((operand) => hasWeaker(operand, rank));
}

function fits(node: Node, enrolment: Enrolment): boolean {
  if (node.kind === 'or') return node.operands.some((operand) => fits(operand, enrolment));
  if (node.kind !== 'leaf') throw new Error('only terms name an enrolment');
  return node.values.some((value) => value.kind === 'any' || (value.kind === 'enrolment' && value.test(enrolment)));
}

function leafHolds(leaf: Leaf, person: Person, view: View, scope: Scope | undefined): boolean {
  const rank = RANK[leaf.field];
  if (rank !== undefined && scope !== undefined && rank > scope.rank) return fits(leaf, scope.enrolment);
  if (rank !== undefined) {
    const enrolments = enrolmentsOf(person, view);
    const isNever = leaf.values.some(({ kind }) => kind === 'none') && enrolments.length === 0;
    return isNever || enrolments.some((enrolment) => fits(leaf, enrolment));
  }
  return leaf.values.some((value) => {
    if (value.kind === 'person') return value.test(person, view);
    return leaf.hasAny(person, view) === (value.kind === 'any');
  });
}
