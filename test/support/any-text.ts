import fc from 'fast-check';

const codePoint = fc
  .integer({ min: 0, max: 0x10ffff })
  .map(
    (point) => String.fromCodePoint(point),
    (text) => (typeof text === 'string' && [...text].length === 1 ? Number(text.codePointAt(0)) : Number.NaN),
  )
  // Lone surrogates are halves of characters, which no text contains.
  .filter((text) => text.isWellFormed());

/** Any text of code points. fast-check's own unit `binary` lists all of them first, which takes each process most of a second. */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });
