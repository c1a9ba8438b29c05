const plural = new Intl.PluralRules('en-GB');
const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * A number with the right form of its noun: `1 contact`, `1,204 contacts`.
 * @param many the plural where it is not `one` with an s: `quantity(2, 'address', 'addresses')`
 */
export function quantity(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${plural.select(count) === 'one' ? one : many}`;
}

/** Alternatives as a sentence names them: `admin, manager or view_only`. */
export const either = (alternatives: Iterable<string>): string => disjunction.format(alternatives);
