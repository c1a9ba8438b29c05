/** Number of runs of a random test: `few` in `npm test`, `many` in `npm run test:soak`, which also runs its file. */
export const runs = (few: number, many: number): number => (process.env.TEST_SOAK === undefined ? few : many);
