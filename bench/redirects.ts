import { createSealer } from '../src/secrets/seal.ts';
import { readSecret } from '../src/secrets/secret-file.ts';
import { linkPath } from '../src/tracking/index.ts';
import { requestsPerSecond } from './http-load.ts';
import { benchInstallation, startProcess } from './installation.ts';
import type { Measurement } from './measure.ts';

const SECONDS = 1.5;
const HEADERS = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', accept: 'text/html' };

/** Clicks on signed links, against node:http that checks the same signature and returns the same redirect. */
export const redirectsRow: Measurement = {
  name: 'click-redirect',
  unit: 'requests/s',
  async prepare() {
    const installation = await benchInstallation();
    const secret = readSecret(installation.app.config);
    const env = { DATABASE_URL: installation.databaseUrl, OUTREACH_DATA_DIR: installation.dataDir, OUTREACH_PORT: '0' };
    const ours = await startProcess(process.execPath, ['bench/api-server.ts'], env);
    const bare = await startProcess(process.execPath, ['bench/bare-redirect.ts'], { BENCH_SECRET: secret });
    const sealer = createSealer(secret);
    const paths = Array.from({ length: 1_000 }, (_, mail) => linkPath(sealer, 'c', mail + 1, `https://example.com/offer?mail=${mail}`));
    await requireSameTarget(ours.said, bare.said, paths[0] ?? '');
    return {
      ours: () => requestsPerSecond(ours.said, paths, HEADERS, SECONDS, 302),
      ceiling: () => requestsPerSecond(bare.said, paths, HEADERS, SECONDS, 302),
      async close() {
        await Promise.all([ours.stop(), bare.stop()]);
        await installation.remove();
      },
    };
  },
};

async function requireSameTarget(ours: string, bare: string, path: string): Promise<void> {
  const targets = await Promise.all(
    [ours, bare].map(async (url) => (await fetch(url + path, { redirect: 'manual' })).headers.get('location')),
  );
  if (targets[0] === null || targets[0] !== targets[1]) throw new Error(`redirects differ: ${targets.join(', ')}`);
}
