/**
 * A number with the right form of its noun: `1 contact`, `1,204 contacts`.
 * @param many the plural where it is not `one` with an s: `quantity(2, 'address', 'addresses')`
 */
export function quantity(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;
}

/** Alternatives as a sentence names them: `admin, manager or view_only`. Not by Intl.ListFormat, whose first use takes 10 ms. */
export function either(alternatives: Iterable<string>): string {
  const names = [...alternatives];
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
