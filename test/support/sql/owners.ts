import { type Findings, HOLE, type PlacedTable } from './statements.ts';

/** The one folder that writes a table. What others change there they do by its functions, or by fragments of its. */
export const OWNERS: Readonly<Record<string, string>> = {
  workspaces: 'src/access',
  users: 'src/access',
  memberships: 'src/access',
  api_keys: 'src/access',
  shares: 'src/access',
  audit_log: 'src/access',
  mail_domains: 'src/mail-domains',
  files: 'src/uploads',
  file_chunks: 'src/uploads',
  webhooks: 'src/webhooks',
  webhook_deliveries: 'src/webhooks',
  contacts: 'src/contacts',
  contact_counts: 'src/contacts',
  lists: 'src/contacts',
  list_members: 'src/contacts',
  custom_fields: 'src/contacts',
  suppressions: 'src/contacts',
  suppressed_domains: 'src/contacts',
  erased_addresses: 'src/contacts',
  imports: 'src/contacts',
  import_problems: 'src/contacts',
  accounts: 'src/accounts',
  account_days: 'src/accounts',
  outbox: 'src/outbox',
  answers: 'src/outbox',
  sent_copies: 'src/outbox',
  events: 'src/events',
  event_totals: 'src/events',
  domain_totals: 'src/events',
  fold_marks: 'src/events',
  refolds: 'src/events',
  templates: 'src/templates',
  campaigns: 'src/campaigns/campaign',
  rotation_groups: 'src/campaigns/rotation',
  steps: 'src/campaigns/steps',
  step_attachments: 'src/campaigns/attachments',
  enrolments: 'src/campaigns/enrolments',
  pending_enrolments: 'src/campaigns/enrolments',
  call_tasks: 'src/campaigns/calls',
  mailbox_cursors: 'src/inbound',
  inbound_messages: 'src/inbound',
  reading_tries: 'src/inbound',
  replies: 'src/replies',
  daily_summaries: 'src/summaries',
  tracking_hits: 'src/tracking',
  idempotency_keys: 'src/api',
  // Made by libraries, not by migrations.
  mikro_orm_migrations: 'src/db',
  agenda_jobs: 'src/jobs',
};

/** Columns whose words mean a state. Only the owner of the table spells them; others use its fragments. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['status', 'pause_reason'],
  call_tasks: ['status'],
  campaigns: ['status'],
  enrolments: ['status'],
  events: ['type'],
  imports: ['status'],
  inbound_messages: ['verdict'],
  memberships: ['role'],
  outbox: ['state'],
  replies: ['kind'],
  steps: ['kind'],
  templates: ['type'],
  webhook_deliveries: ['status'],
};

/** Files that write tables of others, and why no owner can do it for them. */
export const MAY_WRITE: Readonly<Record<string, string>> = {
  'src/main/orm-options.ts': 'tells MikroORM of all entities, and uses none',
  'src/maintenance/erase-person.ts': 'takes a person out of every text of the database, whatever table holds it',
  'src/maintenance/restore.ts': 'replaces the rows of all tables',
  'src/maintenance/reseal.ts': 'reseals the sealed columns of all tables',
};

/**
 * Which tables of others a folder names in its own statements: to join them, to count them, to ask by their ids. What a row
 * of them means (it is live, it is due, who sends it) is the owner's to say, by a fragment. A new pair belongs here once it
 * is clear that no fragment or function of the owner can answer.
 */
export const READS: Readonly<Record<string, readonly string[]>> = {
  'src/campaigns/attachments': ['files', 'steps'],
  'src/campaigns/calls': ['campaigns', 'contacts', 'enrolments', 'steps'],
  'src/campaigns/campaign': ['accounts', 'call_tasks', 'enrolments', 'outbox', 'steps'],
  'src/campaigns/check': ['accounts', 'campaigns', 'contacts', 'enrolments', 'lists', 'outbox', 'steps'],
  'src/campaigns/content': ['steps'],
  'src/campaigns/enrolments': ['accounts', 'call_tasks', 'campaigns', 'contacts', 'list_members', 'lists', 'outbox', 'steps'],
  'src/campaigns/lifecycle': ['accounts', 'campaigns', 'enrolments', 'steps'],
  'src/campaigns/preview': ['accounts', 'campaigns'],
  'src/campaigns/rotation': ['accounts', 'campaigns'],
  'src/campaigns/schedule': ['accounts', 'campaigns', 'custom_fields', 'enrolments', 'steps'],
  'src/campaigns/search': ['call_tasks', 'campaigns', 'enrolments'],
  'src/campaigns/states': ['accounts'],
  'src/contacts': ['workspaces'],
  'src/contacts/search': ['users'],
  'src/doctor': ['accounts'],
  'src/events': ['accounts', 'campaigns', 'contacts', 'enrolments', 'outbox', 'steps'],
  'src/inbound': ['accounts', 'campaigns', 'contacts', 'enrolments', 'outbox'],
  'src/live': [...['accounts', 'audit_log', 'campaigns', 'contacts', 'enrolments', 'events', 'outbox', 'steps']],
  'src/maintenance': ['audit_log', 'contacts', 'enrolments', 'events', 'idempotency_keys', 'outbox', 'suppressions', 'workspaces'],
  'src/monitoring': ['accounts'],
  'src/replies': ['accounts', 'answers', 'campaigns', 'contacts', 'outbox', 'users'],
  'src/reports': ['accounts', 'campaigns', 'mail_domains', 'steps', 'workspaces'],
  'src/sending/answers': ['accounts', 'campaigns', 'contacts', 'enrolments', 'outbox', 'replies'],
  'src/sending/batch': ['accounts', 'campaigns', 'contacts', 'custom_fields', 'enrolments', 'outbox', 'steps'],
  'src/sending/email': ['accounts', 'campaigns', 'contacts', 'enrolments', 'outbox', 'steps'],
  'src/sending/forecast': ['accounts', 'call_tasks', 'campaigns', 'contacts', 'enrolments', 'outbox', 'steps'],
  'src/sending/state': ['accounts', 'campaigns', 'enrolments'],
  'src/sending/test-emails': ['accounts', 'contacts', 'enrolments'],
  'src/tracking': ['contacts', 'enrolments', 'events', 'outbox'],
  'src/uploads': ['imports', 'step_attachments'],
  'src/webhooks': ['accounts', 'campaigns', 'contacts'],
};

/** Folders whose statements name tables of folders above them, and why no caller can hand them a fragment instead. */
export const READS_ABOVE: Readonly<Record<string, string>> = {
  'src/events': 'an event belongs to an enrolment of a campaign: logging locks the one, and who may see the other sees its events',
  'src/maintenance': 'erasing and exporting a person looks into every table that may name them',
  'src/uploads': 'a file is deleted when nothing uses it any more, and only the rows that use it can tell',
  'src/webhooks': 'a delivery goes only to whom sees what it tells of; access asks that by the name of the table, of any room',
};

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/'));
const isIn = (file: string, folder: string | undefined): boolean => folder !== undefined && file.startsWith(`${folder}/`);

/** Writes to tables of others: `file writes table, which owner owns`, with lines for whoever looks for them. */
export function foreignWrites(uses: readonly PlacedTable[]): { what: string; where: string }[] {
  return uses
    .filter(
      (use) =>
        use.kind === 'write' &&
        !(use.file in MAY_WRITE) &&
        !isIn(use.file, OWNERS[use.table]) &&
        (use.table in OWNERS || use.table === HOLE),
    )
    .map(({ file, line, table }) => ({
      what: `${file} writes ${table}, which ${OWNERS[table] ?? 'nobody'} owns`,
      where: `${file}:${line}`,
    }));
}

/** Which tables of others each folder names itself, outside of their owners' fragments. */
export function foreignReads(uses: readonly PlacedTable[]): Record<string, string[]> {
  const foreign = uses.filter(({ table, file, kind }) => kind === 'read' && table in OWNERS && !isIn(file, OWNERS[table]));
  const byFolder = Map.groupBy(foreign, ({ file }) => folderOf(file));
  return Object.fromEntries([...byFolder].map(([folder, all]) => [folder, [...new Set(all.map(({ table }) => table))].sort()]).sort());
}

/** Statements that spell a state of another's table: `file: table.column`. */
export function foreignStates({ words }: Pick<Findings, 'words'>): { what: string; where: string }[] {
  return words.flatMap(({ tables, column, words: spelt, file, line }) => {
    // Given as an argument, whose type knows the states.
    if (spelt.every((word) => word === HOLE)) return [];
    // Where the text does not say whose column it is, it may be one of the folder's own tables.
    const meant = (tables ?? Object.keys(STATES)).filter((table) => STATES[table]?.includes(column));
    if (meant.length === 0 || meant.some((table) => isIn(file, OWNERS[table]))) return [];
    return [{ what: `${file} spells ${tables === undefined ? 'some' : meant.join(', ')}.${column}`, where: `${file}:${line}` }];
  });
}
