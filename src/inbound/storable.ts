/** Text from outside as PostgreSQL can store it (no NUL, no halves of surrogate pairs), cut to a length. */
export const storable = (text: string, length: number): string => text.replaceAll('\0', '').toWellFormed().slice(0, length).toWellFormed();
