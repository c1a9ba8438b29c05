import { setTimeout as wait } from 'node:timers/promises';
import { loadConfig } from '../../src/core/config.ts';
import { startJobs } from '../../src/jobs/index.ts';
import { openRuntime } from '../../src/main/runtime.ts';

/**
 * A daemon in a separate process that works on account 7 until it is killed. Settings come from the environment; prints `working 7` when it
 * has begun.
 */
const config = loadConfig();
const { app, databaseUrl } = await openRuntime(config);
await startJobs(app, {
  databaseUrl,
  mongodbUrl: config.mongodbUrl,
  lockSeconds: { recurring: 2, account: 2 },
  timetable: {
    recurring: [],
    perItem: [
      {
        name: 'work',
        everySeconds: 0.1,
        atOnce: 5,
        due: async () => [7],
        async run(_app, accountId) {
          process.stdout.write(`working ${accountId}\n`);
          await wait(600_000);
        },
      },
    ],
  },
});
