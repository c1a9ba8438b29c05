/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ø: 'o', æ: 'a', œ: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ς: 'σ', ё: 'е', ґ: 'г', є: 'е' },
  ...{ ى: 'ي', ة: 'ه', ـ: '', '’': "'", '‘': "'", '`': "'", '´': "'", ʼ: "'", '′': "'" },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** The prefix of "e-posta", "e-naslov" and "e-pasts": words for email or an email address. */
const ELECTRONIC = /(?<![\p{L}\p{N}])e-(?=\p{L})/gu;
const PLAIN = /^[\0-\x7f]*$/;

/**
 * Returns a text in lower case and without accents, as people type it on a phone: "löschen", "LÖSCHEN", "loeschen" and "loschen" become one
 * word. Do not use it for Chinese, Japanese and Korean, whose letters decompose into others.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  const bare = PLAIN.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(LETTER, (letter) => LETTERS[letter] as string);
  return bare
    .replaceAll(/(?<=[aou])e|(?<=a)a/g, '')
    .replaceAll(/\be[- ]mail/g, 'email')
    .replaceAll(ELECTRONIC, '');
}
