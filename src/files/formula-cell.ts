/**
 * Text that a spreadsheet may read as a formula: =, +, -, @ (also full-width), TAB or CR at the start. They may follow white space and
 * apostrophes, which spreadsheets drop (OWASP, CSV Injection), or invisible characters, which another program may drop.
 */
const FORMULA = /^[\s'\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*[=+\-@＝＋－＠]|^'*[\t\r\n]/u;

/** Returns the text of a cell that no spreadsheet evaluates: an apostrophe is put before a possible formula. */
export const formulaSafe = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Removes the apostrophe that `formulaSafe`, or a person, put before a possible formula. */
export const withoutApostrophe = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell);
