import type { Client as Api } from '../client/create-client.ts';

/** The health of an account as the API tells it. */
export type Health = Awaited<ReturnType<Api['accountHealth']['get']['query']>>;

/** True for a check that needs somebody. */
export const isProblem = ({ state }: Health['checks'][number]): boolean => state === 'stop' || state === 'watch';

/** The checks of an account, a line each; a problem with since when, why it matters and what to do. */
export const checkLines = ({ checks }: Pick<Health, 'checks'>): string[] =>
  checks.flatMap((check) => [
    `${check.state.padEnd(7)}  ${check.check.padEnd(13)}  ${check.detail}`,
    ...(isProblem(check)
      ? [`since ${check.since} UTC. ${check.why}`, `To mend it: ${check.remedy}.`].map((line) => `${' '.repeat(24)}${line}`)
      : []),
  ]);
