/**
 * Returns a number with the right form of its noun: `1 contact`, `1,204 contacts`.
 * @param many the plural, if it is not `one` with an s: `quantity(2, 'address', 'addresses')`
 */
export function quantity(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A whole number with commas between its thousands: `1,204`. Avoids Intl.NumberFormat, whose first use takes 10 ms. */
export const grouped = (number: number): string => String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** Removes full stops and white space from the end of a text, to make it part of a longer sentence. */
export function withoutFullStop(text: string): string {
  let end = text.length;
  while (end > 0 && ' .\t\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Alternatives as a sentence names them: `admin, manager or view_only`. Avoids Intl.ListFormat, whose first use takes 10 ms. */
export function either(alternatives: Iterable<string>): string {
  const names = [...alternatives];
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}

/** Bytes as people read them: `812 bytes`, `48 KiB`, `3.1 MiB`. */
export function fileSizeText(bytes: number): string {
  if (bytes < 1_024) return quantity(bytes, 'byte');
  const kibibytes = bytes / 1_024;
  return kibibytes < 1_024 ? `${Math.round(kibibytes)} KiB` : `${(kibibytes / 1_024).toFixed(1)} MiB`;
}
