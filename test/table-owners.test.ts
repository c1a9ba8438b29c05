import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The folder that writes each table. Others change it through functions or SQL fragments of that folder; everybody may read it. */
const OWNERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'src/access': 'workspaces users memberships api_keys shares audit_log',
    'src/daemons': 'daemons',
    'src/mail-domains': 'mail_domains',
    'src/uploads': 'files file_chunks',
    'src/webhooks': 'webhooks webhook_deliveries',
    'src/contacts': `contacts contact_counts lists list_members custom_fields suppressions erased_addresses
      imports import_problems`,
    'src/templates': 'templates',
    'src/accounts': 'accounts account_days',
    'src/health': 'domain_reports',
    'src/outbox': 'outbox answers sent_copies',
    'src/events': 'events event_totals domain_totals fold_marks refolds',
    'src/campaigns/campaign': 'campaigns',
    'src/campaigns/steps': 'steps',
    'src/campaigns/enrolments': 'enrolments pending_enrolments',
    'src/campaigns/calls': 'call_tasks',
    'src/inbound': 'mailbox_cursors inbound_messages reading_tries',
    'src/replies': 'replies',
    'src/reports': 'report_shares',
    'src/summaries': 'scheduled_emails',
    'src/tracking': 'tracking_hits',
    'src/api': 'idempotency_keys',
  }).flatMap(([folder, tables]) => tables.split(/\s+/).map((table) => [table, folder])),
);
/** Backup, restore, erasure and rotation of the secret work on all tables. */
const EVERY_TABLE = 'src/maintenance/';
/** Tells MikroORM of all entities. */
const EVERY_ENTITY = 'src/main/entities.ts';

const files = globSync(['src/**/*.{ts,tsx}', 'commands/**/*.ts'])
  .filter((file) => !file.startsWith(EVERY_TABLE))
  .map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '') }));

const WRITE = /\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|merge\s+into|copy)\s+(?:only\s+)?("?\w+|\$\{)/gi;

/** The tables that a file writes in SQL, `${` for one whose name only the program knows. */
const written = (text: string) => [...text.matchAll(WRITE)].map(([, table = '']) => table.replace('"', ''));

/** Entities and the kinds of records by which access/records.ts changes them, with the folder that defines them. */
const records = files.flatMap(({ file, text }) =>
  [...text.matchAll(/export const (\w+)(?:: RecordKind<\w+> = | = (?:defineEntity|scopedRecord)\b)/g)].map(([, name = '']) => ({
    name,
    room: file.split('/').slice(0, 2).join('/'),
  })),
);

describe('who writes a table', () => {
  it('has an owner for each table of the migrations', () => {
    const sql = globSync('migrations/*.ts').map((file) => readFileSync(file, 'utf8').split('down:')[0]);
    const named = (words: RegExp) => new Set(sql.flatMap((up = '') => [...up.matchAll(words)].map(([, table]) => table)));
    const dropped = named(/drop table (\w+)/g);
    const tables = [...named(/create (?:unlogged )?table (\w+)/g)].filter((table) => !dropped.has(table));
    expect(Object.keys(OWNERS).sort()).toEqual(tables.sort());
  });

  it('statements that write a table are in the folder of its owner', () => {
    const all = files.flatMap(({ file, text }) => written(text).map((table) => ({ file, table })));
    const owned = all.filter(({ file, table }) => OWNERS[table] !== undefined && file.startsWith(`${OWNERS[table]}/`));
    expect(owned.length).toBeGreaterThan(200);
    const foreign = all.filter(({ table }) => table in OWNERS || table === '${').filter((write) => !owned.includes(write));
    expect(foreign.map(({ file, table }) => `${file} writes ${table} of ${OWNERS[table] ?? 'some owner'}`)).toEqual([]);
  });

  it('entities are used in the folder that defines them: whoever holds one writes its table by assigning to it', () => {
    expect(records.length).toBeGreaterThan(10);
    const foreign = files
      .filter(({ file }) => file !== EVERY_ENTITY)
      .flatMap(({ file, text }) =>
        [...text.matchAll(/import (?:type )?\{([^}]+)\} from '[./]+\/([\w-]+)\/[^']+'/g)].flatMap(([, names = '', folder]) =>
          records
            .filter(({ name, room }) => room === `src/${folder}` && new RegExp(`\\b${name}\\b`).test(names))
            .map(({ name }) => `${file} uses ${name}`),
        ),
      );
    expect(foreign).toEqual([]);
  });
});
