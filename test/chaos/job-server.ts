import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/db/embedded/ports.ts';
import { Restartable } from './restartable.ts';

const PROJECT = fileURLToPath(new URL('../../ci/mongo/', import.meta.url));
const isThere = (program: string, word: string): boolean => spawnSync(program, [word]).status === 0;

/** True if this machine can build and run the server that speaks MongoDB's protocol. */
export const hasJobServer = (): boolean => isThere('mvn', '--version') && isThere('java', '--version');

/** A job store in a separate process, in memory: when it dies, all jobs are lost. */
export interface JobServer {
  readonly url: string;
  kill(): void;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
}

/** Starts the server that `ci/mongo` describes. @param folder receives its libraries, which Maven has cached or downloads */
export async function startJobServer(folder: string): Promise<JobServer> {
  const libraries = join(folder, 'mongo');
  const words = ['-q', '-B', '-f', join(PROJECT, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
  // Libraries that it has downloaded once need no network.
  const isCached = spawnSync('mvn', ['--offline', ...words], { stdio: 'ignore' }).status === 0;
  if (!isCached) execFileSync('mvn', words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort(0);
  const program = ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-cp', `${libraries}/*`, join(PROJECT, 'MongoServer.java'), String(port)];
  const server = new Restartable(port, () => spawn('java', program, { stdio: 'ignore' }));
  await server.start();
  return { url: `mongodb://127.0.0.1:${port}/outreach`, kill: () => server.kill(), start: () => server.start() };
}
