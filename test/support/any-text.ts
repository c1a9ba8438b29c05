import fc from 'fast-check';

/** Halves of characters, which no text has by themselves. */
const SURROGATES = { first: 0xd800, count: 0x800 };

const codePoint = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' && [...text].length === 1 ? (text.codePointAt(0) ?? -1) : -1;
    const isSurrogate = point >= SURROGATES.first && point < SURROGATES.first + SURROGATES.count;
    if (point < 0 || isSurrogate) throw new Error('not one code point');
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);

/** Any text of code points. fast-check's own unit `binary` lists all of them first, which takes each process most of a second. */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });
