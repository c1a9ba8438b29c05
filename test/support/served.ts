import { expect } from 'vitest';
import { startDaemon } from '../../src/main/daemon.ts';
import { afterFile } from './after-file.ts';
import { type ApiClient, apiClient } from './api-client.ts';
import { type TestInstallation, testInstallation } from './database.ts';

/** Creates an installation for a test file, serves its API, and makes a client with the admin's key. Stopped after the file. */
export async function servedInstallation(
  settings: Parameters<typeof testInstallation>[0] = {},
): Promise<TestInstallation & { api: ApiClient; url: string }> {
  const installation = await testInstallation(settings);
  const daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
  afterFile(() => daemon.stop());
  const url = daemon.url ?? '';
  return { ...installation, url, api: apiClient(url, installation.adminKey) };
}

/** Returns the expected answer to a refused request, for `toMatchObject`. @param message a part of the message */
export const refusal = (status: number, code: string, message = '') => ({
  status,
  body: { error: { code, message: expect.stringContaining(message) } },
});
