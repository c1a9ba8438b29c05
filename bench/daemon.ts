import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DaemonProcess, startDaemonProcess } from '../test/support/daemon-process.ts';
import type { BenchInstallation } from './installation.ts';

/** Returns the setting with which a daemon with another data directory can read the credentials of this one. */
export const secretOf = (dataDir: string) => ({ OUTREACH_SECRET_KEY: readFileSync(join(dataDir, 'secret.key'), 'utf8').trim() });

/** Starts a daemon of the built program on an installation, as in production. The caller ends it; otherwise it ends with this process. */
export async function startDaemon({ databaseUrl, dataDir }: BenchInstallation): Promise<DaemonProcess> {
  const daemon = await startDaemonProcess({
    databaseUrl,
    home: join(dataDir, 'daemon'),
    env: { ...secretOf(dataDir), OUTREACH_LOG_LEVEL: 'warn', OUTREACH_TICK_SECONDS: '1', NODE_ENV: 'production' },
  });
  process.once('exit', () => daemon.child.kill());
  return daemon;
}
