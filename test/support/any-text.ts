import fc from 'fast-check';

/** The surrogates are no characters of their own. */
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

/** Text of any code points, as fast-check's unit `binary` gives it, which takes most of a second to list them once a process. */
export const anyText = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: codePoint });
