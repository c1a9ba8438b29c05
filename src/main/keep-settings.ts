import { existsSync, readFileSync } from 'node:fs';
import { stringify } from 'smol-toml';
import type { Config } from '../core/config.ts';
import { type SettingName, settingKey } from '../core/settings.ts';
import { readOwnSettings, settingsPath } from '../core/settings-file.ts';
import { fileProblem } from '../files/file-problem.ts';
import { replaceFile } from '../files/replace-file.ts';
import { keepSecret } from '../secrets/secret-file.ts';

/** The settings from flags and environment that an installation stores, and those that it does not. */
export interface KeptSettings {
  /** The names in outreach.toml. */
  added: string[];
  /** The settings for which a settings file already has another value. That value stays. */
  differing: string[];
}

const HEADER = '# Settings given when Outreach was installed. docs/settings.md lists them all.\n';

/**
 * Adds the settings from flags and environment to `outreach.toml` in the data directory, mode 0600, and the secret to `secret.key`, so that
 * commands without that environment find the same installation. Settings that a settings file already has stay unchanged. Commands that
 * install at the same time must call it one after the other. Throws the error of `fileProblem`.
 */
export function keepSettings(config: Config): KeptSettings {
  const kept: KeptSettings = { added: [], differing: [] };
  const entries: Record<string, string | number | boolean> = {};
  // Read again: another command may have stored its own settings in the meantime.
  const files = [readOwnSettings(config.dataDir), ...config.settingsFiles].filter((file) => file !== undefined);
  for (const [name, value] of Object.entries(config.given) as [SettingName, unknown][]) {
    if (value === undefined || name === 'secretKey') continue;
    const file = files.find(({ settings }) => settings[name] !== undefined);
    if (file === undefined) entries[settingKey(name)] = tomlValue(config[name], value);
    else if (String(file.settings[name]) !== String(value)) kept.differing.push(settingKey(name));
  }
  kept.added = Object.keys(entries);
  if (kept.added.length > 0) addToFile(settingsPath(config.dataDir), stringify(entries));
  keepSecret(config);
  return kept;
}

/** Returns numbers and booleans as parsed, and anything else as it was written: a sender, for example, is parsed into an object. */
function tomlValue(parsed: unknown, written: unknown): string | number | boolean {
  return typeof parsed === 'number' || typeof parsed === 'boolean' ? parsed : String(written);
}

/** Rewrites the file atomically, with the new lines first: at the end they could become part of its last table. */
function addToFile(path: string, lines: string): void {
  try {
    const present = existsSync(path) ? `\n${readFileSync(path, 'utf8')}` : '';
    replaceFile(path, `${HEADER}${lines}${present}`, { flush: true });
  } catch (error) {
    throw fileProblem(path, 'written', error);
  }
}
