/**
 * What a spreadsheet may take for a formula: =, +, -, @ (full-width ones too), TAB or CR at the start, or after white
 * space and apostrophes, which spreadsheets drop (OWASP, CSV Injection).
 */
const FORMULA = /^[\s']*[=+\-@＝＋－＠]|^'*[\t\r\n]/u;

/** The text as a cell that no spreadsheet computes: an apostrophe goes before what could be a formula. */
export const formulaSafe = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** The text of a cell that `formulaSafe` made, or that a person protected in the same way. */
export const withoutApostrophe = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell);
