import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { conflict, invalid } from '../core/errors.ts';
import { createFile } from '../files/create-file.ts';
import { fileProblem } from '../files/file-problem.ts';
import { replaceFile } from '../files/replace-file.ts';
import { areSecrets, createSealer, type Sealer, secretsIn } from './seal.ts';

/** Generates a new secret: 32 random bytes in base64url. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

export const secretPath = (config: Pick<Config, 'dataDir'>): string => join(config.dataDir, 'secret.key');

/** True if the settings or the data directory have a secret. */
export const hasSecret = (config: Config): boolean => config.secretKey !== undefined || existsSync(secretPath(config));

/** Creates `secret.key` in the data directory, mode 0600, with a new secret. An existing file stays. */
export const createSecret = (config: Pick<Config, 'dataDir'>): void => makeSecret(secretPath(config), [newSecret()]);

/**
 * Reads the secrets of the installation: from the setting, otherwise from `secret.key` in the data directory. One per line, the current one
 * first, then those that `secret rotate` replaced. Throws `invalid_request` if there is none, `conflict` if other users can read the file.
 */
export function readSecret(config: Config): string {
  if (config.secretKey !== undefined) return config.secretKey;
  const path = secretPath(config);
  if (!existsSync(path)) throw invalid(`${path} is missing; restore it from your copy`);
  if ((statSync(path).mode & 0o077) !== 0 && process.platform !== 'win32')
    throw conflict(`${path} can be read by other users; run: chmod 600 ${path}`);
  const text = readFileSync(path, 'utf8').trim();
  if (!areSecrets(text))
    throw invalid(
      `${path} has no secret, or one that is cut off: each line must be at least 32 bytes in base64url; restore it from your copy`,
    );
  return text;
}

function makeSecret(path: string, secrets: readonly string[]): void {
  try {
    // If another process has created it in the meantime, that one stays.
    createFile(path, textOf(secrets), { flush: true });
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
}

/**
 * Writes the secret of the settings to `secret.key`, unless that file exists: commands without the setting would otherwise create another
 * secret.
 */
export function keepSecret(config: Config): void {
  const path = secretPath(config);
  if (config.secretKey !== undefined && !existsSync(path)) makeSecret(path, secretsIn(config.secretKey));
}

/** Opens the sealer of the installation. It reads the file again if a value has an unknown key. */
export function openSealer(config: Config): Sealer {
  let known = readSecret(config);
  return createSealer(known, () => {
    const now = hasSecret(config) ? readSecret(config) : known;
    if (now === known) return undefined;
    known = now;
    return now;
  });
}

/** Replaces the secrets in the file atomically, the current one first; they are flushed to disk when this returns. */
export const writeSecrets = (config: Config, secrets: readonly string[]): void =>
  replaceFile(secretPath(config), textOf(secrets), { flush: true });

const textOf = (secrets: readonly string[]): string => `${secrets.join('\n')}\n`;
