/** Text from outside as PostgreSQL can store it (no NUL, no halves of surrogate pairs) and searches find it (NFC), cut to a length. */
export const storable = (text: string, length: number): string =>
  text
    .slice(0, 2 * length)
    .replaceAll('\0', '')
    .toWellFormed()
    .normalize('NFC')
    .slice(0, length)
    .toWellFormed();
