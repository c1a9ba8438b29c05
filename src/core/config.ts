import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { closest, distance } from 'fastest-levenshtein';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { either } from './english.ts';
import { conflict, invalid, messageOf } from './errors.ts';

const address = (schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be a URL of the form ${schemes.map((scheme) => `${scheme}://…`).join(' or ')}`,
  });

/** Several hosts or a socket make no URL by the WHATWG's rules, so both are read where they are used. */
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a URL of the form postgres://… or postgresql://…');
const mongoUrl = z.string().regex(/^mongodb(\+srv)?:\/\/[^/]/, 'must be a URL of the form mongodb://… or mongodb+srv://…');

const text = z.string({ error: 'must be a string' }).min(1, 'must not be empty');

/** A number between two bounds, read from text too; a message for all that can be wrong with it. */
const number = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.coerce.number({ error }).min(min, error).max(max, error);
};

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};

const port = wholeNumber(0, 65_535);

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], { error: 'must be true or false' });

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) => z.enum(names, { error: `must be ${either(names)}` });

/** An address, or `Name <address>` (RFC 5322 §3.4); the name may stand in quotes. */
const sender = z.string().transform((text, context) => {
  const [, quoted, plain = '', named, bare] = /^\s*(?:(?:"([^"\\]*)"|([^"<>]*?))\s*<([^<>\s]+)>|([^<>\s]+))\s*$/.exec(text) ?? [];
  const name = (quoted ?? plain).trim();
  const parsed = z.email().safeParse(named ?? bare);
  if (parsed.success && !/\p{Cc}/u.test(name)) return { name: name || 'Outreach', address: parsed.data };
  context.addIssue('must be an email address, or have the form Name <address>');
  return z.NEVER;
});

/** Every setting with its environment variable, rule and default. docs/settings.md describes them. */
const SETTINGS = {
  databaseUrl: { env: 'DATABASE_URL', rule: postgresUrl.optional() },
  databaseDirectUrl: { env: 'OUTREACH_DATABASE_DIRECT_URL', rule: postgresUrl.optional() },
  mongodbUrl: { env: 'MONGODB_URL', rule: mongoUrl.optional() },
  host: { env: 'OUTREACH_HOST', rule: text.default('127.0.0.1') },
  port: { env: 'OUTREACH_PORT', rule: port.default(8025) },
  baseUrl: { env: 'OUTREACH_BASE_URL', rule: address(['http', 'https']).optional() },
  secretKey: {
    env: 'OUTREACH_SECRET_KEY',
    rule: z
      .string()
      .regex(/^[\w-]{43,}([\s,]+[\w-]{43,})*$/, 'must be at least 32 bytes in base64url; old secrets may follow, separated by commas')
      .optional(),
  },
  systemSmtpUrl: { env: 'OUTREACH_SYSTEM_SMTP_URL', rule: address(['smtp', 'smtps']).optional() },
  systemFrom: { env: 'OUTREACH_SYSTEM_FROM', rule: sender.optional() },
  googleClientId: { env: 'OUTREACH_GOOGLE_CLIENT_ID', rule: text.optional() },
  googleClientSecret: { env: 'OUTREACH_GOOGLE_CLIENT_SECRET', rule: text.optional() },
  googleOauthUrl: { env: 'OUTREACH_GOOGLE_OAUTH_URL', rule: address(['https', 'http']).optional() },
  microsoftClientId: { env: 'OUTREACH_MICROSOFT_CLIENT_ID', rule: text.optional() },
  microsoftClientSecret: { env: 'OUTREACH_MICROSOFT_CLIENT_SECRET', rule: text.optional() },
  microsoftOauthUrl: { env: 'OUTREACH_MICROSOFT_OAUTH_URL', rule: address(['https', 'http']).optional() },
  metricsHost: { env: 'OUTREACH_METRICS_HOST', rule: text.default('127.0.0.1') },
  metricsPort: { env: 'OUTREACH_METRICS_PORT', rule: port.optional() },
  logLevel: { env: 'OUTREACH_LOG_LEVEL', rule: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info') },
  trustedProxies: { env: 'OUTREACH_TRUSTED_PROXIES', rule: z.string().default('') },
  suppressionScope: { env: 'OUTREACH_SUPPRESSION_SCOPE', rule: oneOf(['installation', 'workspace']).default('installation') },
  webhooksAllowPrivate: { env: 'OUTREACH_WEBHOOKS_ALLOW_PRIVATE', rule: flag.default(false) },
  pollIntervalSeconds: { env: 'OUTREACH_POLL_INTERVAL_SECONDS', rule: wholeNumber(1, 3_600).default(120) },
  idleConnections: { env: 'OUTREACH_IDLE_CONNECTIONS', rule: wholeNumber(0, 10_000).default(100) },
  limitsRequests: { env: 'OUTREACH_LIMITS_REQUESTS', rule: wholeNumber(1, 100_000).default(200) },
  limitsHeavyRequests: { env: 'OUTREACH_LIMITS_HEAVY_REQUESTS', rule: wholeNumber(1, 1_000).default(4) },
  limitsStreams: { env: 'OUTREACH_LIMITS_STREAMS', rule: wholeNumber(1, 10_000).default(20) },
  limitsBatch: { env: 'OUTREACH_LIMITS_BATCH', rule: wholeNumber(1, 1_000).default(100) },
  // In days. The least values leave time for what still needs the rows: the tries of a delivery, a mailbox that is read again.
  retentionWebhookDeliveries: { env: 'OUTREACH_RETENTION_WEBHOOK_DELIVERIES', rule: wholeNumber(4, 36_500).default(30) },
  retentionTrackingHits: { env: 'OUTREACH_RETENTION_TRACKING_HITS', rule: wholeNumber(7, 36_500).default(180) },
  retentionUnrelatedMessages: { env: 'OUTREACH_RETENTION_UNRELATED_MESSAGES', rule: wholeNumber(30, 36_500).default(365) },
  retentionReplies: { env: 'OUTREACH_RETENTION_REPLIES', rule: wholeNumber(30, 36_500).default(1_095) },
  retentionAuditLog: { env: 'OUTREACH_RETENTION_AUDIT_LOG', rule: wholeNumber(365, 36_500).optional() },
  tickSeconds: { env: 'OUTREACH_TICK_SECONDS', rule: number(0.1, 60).default(5) },
} as const;

/** Variables that are no settings: the data directory, the dashboard's key, and passwords of `account connect`. */
const OTHER_VARIABLES = ['OUTREACH_DATA_DIR', 'OUTREACH_API_KEY', 'OUTREACH_URL', 'OUTREACH_SMTP_PASSWORD', 'OUTREACH_IMAP_PASSWORD'];

type SettingName = keyof typeof SETTINGS;
type Settings = { [K in SettingName]: z.output<(typeof SETTINGS)[K]['rule']> };

export interface Config extends Settings {
  /** Absolute path of the directory with the secret, `outreach.toml` and the embedded PostgreSQL. */
  dataDir: string;
  /** The base URL for links, without a trailing slash. */
  baseUrl: string;
  /** The base URL if it was set, otherwise null: recipients can't reach an address on this machine. */
  publicUrl: string | null;
}

/** The platform's data directory; for root on Linux /var/lib/outreach (FHS 3.0 §5.8), which other users can enter. */
function defaultDataDir(): string {
  if (process.platform === 'linux' && process.getuid?.() === 0) return '/var/lib/outreach';
  return envPaths('outreach', { suffix: '' }).data;
}

/**
 * Reads the settings. For each, a flag wins over the environment, the environment over `outreach.toml` in the data
 * directory, and that over the default. Throws `invalid_request` naming a setting that is unknown or malformed, and the nearest
 * one that is known.
 */
export function loadConfig(flags: Partial<Record<SettingName | 'dataDir', unknown>> = {}, env: NodeJS.ProcessEnv = process.env): Config {
  const dataDir = resolve(String(flags.dataDir ?? (env.OUTREACH_DATA_DIR || defaultDataDir())));
  refuseUnknownVariables(env);
  const fromFile = readSettingsFile(settingsPath(dataDir));
  refuseExposedSecret(settingsPath(dataDir), fromFile);
  const settings: Record<string, unknown> = {};
  for (const [name, { env: variable, rule }] of Object.entries(SETTINGS) as [SettingName, (typeof SETTINGS)[SettingName]][]) {
    const inEnvironment = env[variable] === '' ? undefined : env[variable];
    const parsed = rule.safeParse(flags[name] ?? inEnvironment ?? fromFile[name]);
    if (!parsed.success) {
      const where = flags[name] !== undefined ? `--${name}` : inEnvironment !== undefined ? variable : `outreach.toml ${settingKey(name)}`;
      throw invalid(`setting ${where}: ${parsed.error.issues[0]?.message ?? 'is malformed'}`);
    }
    settings[name] = parsed.data;
  }
  const config = { ...settings, dataDir } as Config;
  config.publicUrl = (config.baseUrl as string | undefined)?.replace(/\/+$/, '') ?? null;
  config.baseUrl = (config.baseUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`).replace(
    /\/+$/,
    '',
  );
  return config;
}

/** A misspelt setting would leave its default in force without a word. */
function refuseUnknownVariables(env: NodeJS.ProcessEnv): void {
  const known = [...Object.values(SETTINGS).map((setting) => setting.env as string), ...OTHER_VARIABLES];
  const unknown = Object.keys(env).find((name) => name.startsWith('OUTREACH_') && !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`unknown setting ${unknown} in the environment${nearest(unknown, known)}; docs/settings.md lists them all`);
}

/** With more edits it is another word, not a misspelling. */
const MAX_EDITS = 3;

function nearest(name: string, known: Iterable<string>): string {
  const found = closest(name, [...known]);
  return distance(name, found) > MAX_EDITS ? '' : ` (did you mean ${found}?)`;
}

export const settingsPath = (dataDir: string): string => join(dataDir, 'outreach.toml');

/** Settings that are secrets, and URLs that may hold one: `//USER:PASSWORD@`, or the parameter `password` of PostgreSQL. */
const SECRETS: readonly SettingName[] = ['secretKey', 'googleClientSecret', 'microsoftClientSecret'];
const URLS: readonly SettingName[] = ['databaseUrl', 'databaseDirectUrl', 'mongodbUrl', 'systemSmtpUrl'];
const PASSWORD_IN_URL = /\/\/[^@/]*:[^@]+@|[?&]password=/;

/** The name of a setting in outreach.toml that holds a secret; undefined if none does. */
export function secretInSettingsFile(path: string, known = readSettingsFile(path)): string | undefined {
  const name = SECRETS.find((secret) => known[secret] !== undefined) ?? URLS.find((url) => PASSWORD_IN_URL.test(String(known[url] ?? '')));
  return name && settingKey(name);
}

/** Throws `conflict` if others than the owner and the group can read a secret in the file. */
function refuseExposedSecret(path: string, known: Partial<Record<SettingName, unknown>>): void {
  const secret = secretInSettingsFile(path, known);
  if (secret === undefined || process.platform === 'win32') return;
  const isExposed = (statSync(path).mode & 0o004) !== 0 && (statSync(dirname(path)).mode & 0o001) !== 0;
  if (isExposed) throw conflict(`${path} holds a secret (${secret}) and can be read by other users; run: chmod 600 ${path}`);
}

/** The name in outreach.toml: `database_url` for `databaseUrl`. */
function settingKey(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Flattens a table: `webhooks.allow_private`, or the same under `[webhooks]`, becomes `webhooks_allow_private`. */
const inTable = ([key, value]: [string, unknown]): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? Object.entries(value).map(([inner, innerValue]) => [`${key}_${inner}`, innerValue])
    : [[key, value]];

function readSettingsFile(path: string): Partial<Record<SettingName, unknown>> {
  if (!isAbsolute(path) || !existsSync(path)) return {};
  let entries: Record<string, unknown>;
  try {
    entries = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw invalid(`${path} can't be read: ${messageOf(error)}`);
  }
  const names = new Map(Object.keys(SETTINGS).map((name) => [settingKey(name), name as SettingName]));
  const known: Partial<Record<SettingName, unknown>> = {};
  for (const [key, value] of Object.entries(entries).flatMap(inTable)) {
    const name = names.get(key);
    if (name === undefined)
      throw invalid(`${path}: unknown setting "${key}"${nearest(key, names.keys())}; known settings: ${[...names.keys()].join(', ')}`);
    known[name] = value;
  }
  return known;
}
