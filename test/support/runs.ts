/** How often a random test tries: `few` times in `npm test`, `many` in `npm run test:soak`, which runs its file as well. */
export const runs = (few: number, many: number): number => (process.env.TEST_SOAK === undefined ? few : many);
