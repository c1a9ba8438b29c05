import { isIP } from 'node:net';
import { z } from 'zod';
import { either } from './english.ts';

const address = (...schemes: string[]) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1)), {
    error: `must be a URL of the form ${schemes.map((scheme) => `${scheme}://…`).join(' or ')}`,
  });

/** A URL with several hosts or a socket is invalid by the WHATWG's rules, so these two are parsed where they are used. */
const postgresUrl = () => z.string().regex(/^postgres(ql)?:\/\//, 'must be a URL of the form postgres://… or postgresql://…');
const mongoUrl = () => z.string().regex(/^mongodb(\+srv)?:\/\/[^/]/, 'must be a URL of the form mongodb://… or mongodb+srv://…');

const text = () => z.string({ error: 'must be a string' }).min(1, 'must not be empty');

/** A number between two bounds, which may be text. One message covers everything that can be wrong with it. */
const number = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.coerce.number({ error }).min(min, error).max(max, error);
};

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};

const port = () => wholeNumber(0, 65_535);

const flag = () =>
  z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], { error: 'must be true or false' });

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) => z.enum(names, { error: `must be ${either(names)}` });

/** Addresses and networks, separated by commas, and the names of networks that express knows. */
const proxies = () =>
  z.string().refine(
    (text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .every((entry) => {
          const [address = '', prefix] = entry.split('/');
          const isPrefix = prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (isIP(address) === 6 ? 128 : 32));
          return entry === '' || /^(loopback|linklocal|uniquelocal)$/.test(entry) || (isIP(address) !== 0 && isPrefix);
        }),
    'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
  );

/** An address, or `Name <address>` (RFC 5322 §3.4); the name may be quoted. */
const sender = () =>
  z.string().transform((text, context) => {
    const [, quoted, plain = '', named, bare] = /^\s*(?:(?:"([^"\\]*)"|([^"<>]*?))\s*<([^<>\s]+)>|([^<>\s]+))\s*$/.exec(text) ?? [];
    const name = (quoted ?? plain).trim();
    const parsed = z.email().safeParse(named ?? bare);
    if (parsed.success && !/\p{Cc}/u.test(name)) return { name: name || 'Outreach', address: parsed.data };
    context.addIssue('must be an email address, or have the form Name <address>');
    return z.NEVER;
  });

/** Names or addresses, separated by commas. */
const several = (each: RegExp, what: string) =>
  z
    .string({ error: 'must be a string' })
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .refine((parts) => parts.every((part) => each.test(part)), { error: `must be ${what}, separated by commas` });

/** An empty variable counts as unset, so `none` means an empty list. */
const zones = () => {
  const names = several(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/i, 'zones such as zen.spamhaus.org');
  return z
    .literal('none')
    .transform((): string[] => [])
    .or(names);
};

/**
 * Every setting with its environment variable, rule and default. docs/settings.md describes them. Rules are functions, called only for
 * values to check: building all of them would slow every command down.
 */
export const SETTINGS = {
  databaseUrl: { env: 'DATABASE_URL', rule: postgresUrl },
  databaseDirectUrl: { env: 'OUTREACH_DATABASE_DIRECT_URL', rule: postgresUrl },
  databaseConnections: { env: 'OUTREACH_DATABASE_CONNECTIONS', rule: () => wholeNumber(6, 1_000) },
  mongodbUrl: { env: 'MONGODB_URL', rule: mongoUrl },
  host: { env: 'OUTREACH_HOST', rule: text, default: '127.0.0.1' },
  port: { env: 'OUTREACH_PORT', rule: port, default: 8025 },
  baseUrl: { env: 'OUTREACH_BASE_URL', rule: () => address('http', 'https') },
  secretKey: {
    env: 'OUTREACH_SECRET_KEY',
    rule: () =>
      z
        .string()
        .regex(/^[\w-]{43,}([\s,]+[\w-]{43,})*$/, 'must be at least 32 bytes in base64url; old secrets may follow, separated by commas'),
  },
  systemSmtpUrl: { env: 'OUTREACH_SYSTEM_SMTP_URL', rule: () => address('smtp', 'smtps') },
  systemFrom: { env: 'OUTREACH_SYSTEM_FROM', rule: sender },
  googleClientId: { env: 'OUTREACH_GOOGLE_CLIENT_ID', rule: text },
  googleClientSecret: { env: 'OUTREACH_GOOGLE_CLIENT_SECRET', rule: text },
  googleOauthUrl: { env: 'OUTREACH_GOOGLE_OAUTH_URL', rule: () => address('https', 'http') },
  microsoftClientId: { env: 'OUTREACH_MICROSOFT_CLIENT_ID', rule: text },
  microsoftClientSecret: { env: 'OUTREACH_MICROSOFT_CLIENT_SECRET', rule: text },
  microsoftOauthUrl: { env: 'OUTREACH_MICROSOFT_OAUTH_URL', rule: () => address('https', 'http') },
  metricsHost: { env: 'OUTREACH_METRICS_HOST', rule: text, default: '127.0.0.1' },
  metricsPort: { env: 'OUTREACH_METRICS_PORT', rule: port },
  logLevel: {
    env: 'OUTREACH_LOG_LEVEL',
    rule: () => oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
  },
  logFormat: { env: 'OUTREACH_LOG_FORMAT', rule: () => oneOf(['auto', 'json', 'text']), default: 'auto' },
  accessLog: { env: 'OUTREACH_ACCESS_LOG', rule: flag, default: false },
  trustedProxies: { env: 'OUTREACH_TRUSTED_PROXIES', rule: proxies, default: '' },
  suppressionScope: { env: 'OUTREACH_SUPPRESSION_SCOPE', rule: () => oneOf(['installation', 'workspace']), default: 'installation' },
  webhooksAllowPrivate: { env: 'OUTREACH_WEBHOOKS_ALLOW_PRIVATE', rule: flag, default: false },
  verifyUrl: { env: 'OUTREACH_VERIFY_URL', rule: () => address('https', 'http') },
  pollIntervalSeconds: { env: 'OUTREACH_POLL_INTERVAL_SECONDS', rule: () => wholeNumber(1, 3_600), default: 120 },
  pollLongestIntervalSeconds: { env: 'OUTREACH_POLL_LONGEST_INTERVAL_SECONDS', rule: () => wholeNumber(1, 3_600), default: 900 },
  idleConnections: { env: 'OUTREACH_IDLE_CONNECTIONS', rule: () => wholeNumber(0, 10_000), default: 100 },
  pollConnections: { env: 'OUTREACH_POLL_CONNECTIONS', rule: () => wholeNumber(0, 10_000), default: 1_000 },
  nameServers: {
    env: 'OUTREACH_NAME_SERVERS',
    rule: () => several(/^(\d+(\.\d+){3}(:\d+)?|[\da-f:]+|\[[\da-f:]+\](:\d+)?)$/i, 'addresses of name servers such as 127.0.0.1:53'),
    default: [] as string[],
  },
  addressBlockLists: {
    env: 'OUTREACH_ADDRESS_BLOCK_LISTS',
    rule: zones,
    default: ['zen.spamhaus.org', 'bl.spamcop.net', 'psbl.surriel.com'],
  },
  domainBlockLists: {
    env: 'OUTREACH_DOMAIN_BLOCK_LISTS',
    rule: zones,
    default: ['dbl.spamhaus.org', 'multi.surbl.org', 'multi.uribl.com'],
  },
  limitsRequests: { env: 'OUTREACH_LIMITS_REQUESTS', rule: () => wholeNumber(1, 100_000), default: 200 },
  limitsHeavyRequests: { env: 'OUTREACH_LIMITS_HEAVY_REQUESTS', rule: () => wholeNumber(1, 1_000), default: 4 },
  limitsStreams: { env: 'OUTREACH_LIMITS_STREAMS', rule: () => wholeNumber(1, 10_000), default: 20 },
  limitsBatch: { env: 'OUTREACH_LIMITS_BATCH', rule: () => wholeNumber(1, 1_000), default: 100 },
  limitsUploads: { env: 'OUTREACH_LIMITS_UPLOADS', rule: () => wholeNumber(1, 10_000_000), default: 5_000 },
  limitsUnusedUploads: { env: 'OUTREACH_LIMITS_UNUSED_UPLOADS', rule: () => wholeNumber(1, 10_000_000), default: 500 },
  // In days. The minimums leave time for work that still needs the rows: the attempts of a delivery, a mailbox that is read again.
  retentionWebhookDeliveries: { env: 'OUTREACH_RETENTION_WEBHOOK_DELIVERIES', rule: () => wholeNumber(4, 36_500), default: 30 },
  retentionTrackingHits: { env: 'OUTREACH_RETENTION_TRACKING_HITS', rule: () => wholeNumber(7, 36_500), default: 180 },
  retentionUnrelatedMessages: { env: 'OUTREACH_RETENTION_UNRELATED_MESSAGES', rule: () => wholeNumber(30, 36_500), default: 365 },
  retentionReplies: { env: 'OUTREACH_RETENTION_REPLIES', rule: () => wholeNumber(30, 36_500), default: 1_095 },
  retentionAuditLog: { env: 'OUTREACH_RETENTION_AUDIT_LOG', rule: () => wholeNumber(365, 36_500) },
  tickSeconds: { env: 'OUTREACH_TICK_SECONDS', rule: () => number(0.1, 60), default: 5 },
} as const;

/** Variables that are not settings: where the installation is, the dashboard's key, and passwords of `account connect`. */
export const OTHER_VARIABLES = [
  'OUTREACH_DATA_DIR',
  'OUTREACH_SETTINGS_FILE',
  'OUTREACH_API_KEY',
  'OUTREACH_WORKSPACE',
  'OUTREACH_URL',
  'OUTREACH_SMTP_PASSWORD',
  'OUTREACH_IMAP_PASSWORD',
];

export type SettingName = keyof typeof SETTINGS;
type ValueOf<Setting extends { rule: () => z.ZodType }> =
  | z.output<ReturnType<Setting['rule']>>
  | (Setting extends { default: unknown } ? never : undefined);
export type Settings = { [K in SettingName]: ValueOf<(typeof SETTINGS)[K]> };

/** Settings as they were written, before their rules are applied. */
export type RawSettings = Partial<Record<SettingName, unknown>>;

/** The name in outreach.toml: `database_url` for `databaseUrl`. */
export const settingKey = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
