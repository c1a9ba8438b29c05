/** Makes foreign text storable in PostgreSQL (no NUL, no lone surrogates) and searchable (NFC), and cuts it to `length`. */
export const storable = (text: string, length: number): string =>
  text
    .slice(0, 2 * length)
    .replaceAll('\0', '')
    .toWellFormed()
    .normalize('NFC')
    .slice(0, length)
    .toWellFormed();
