import { existsSync } from 'node:fs';
import { systemMailServer } from '../access/index.ts';
import type { Config } from '../core/config.ts';
import { invalid } from '../core/errors.ts';
import { isWritableFolder } from '../core/writable-folder.ts';
import { hasSecret, openSealer } from '../secrets/secret-file.ts';

/**
 * Checks the settings as far as possible without the database: the server for system emails, the secret, the data directory. Throws
 * `invalid_request` or `conflict`, as the start of the daemon would.
 */
export function checkSettings(config: Config): void {
  systemMailServer(config);
  if ((config.systemSmtpUrl === undefined) !== (config.systemFrom === undefined))
    throw invalid('settings OUTREACH_SYSTEM_SMTP_URL and OUTREACH_SYSTEM_FROM: set both, or neither');
  if (hasSecret(config)) openSealer(config);
  if (existsSync(config.dataDir) && !isWritableFolder(config.dataDir))
    throw invalid(`the data directory ${config.dataDir} can't be written; grant this user write access, or run the command as its owner`);
}
