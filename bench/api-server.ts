import { loadConfig } from '../src/core/config.ts';
import { startDaemon } from '../src/main/daemon.ts';
import { openRuntime } from '../src/main/runtime.ts';

/** Serves the API as in production, without jobs, on the database in the environment. Prints its address. */
const runtime = await openRuntime(loadConfig(), { poolSize: 20 });
const daemon = await startDaemon(runtime.app, { worker: false, databaseUrl: runtime.databaseUrl });
console.log(daemon.url);
process.on('SIGTERM', () => process.exit());
