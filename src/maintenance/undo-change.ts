import type { Caller, HistoryEntry } from '../access/index.ts';
import { getHistoryEntry } from '../access/index.ts';
import { setAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { changeCampaign, changeContact, changeStep } from '../campaigns/index.ts';
import { quantity } from '../core/english.ts';
import { conflict, messageOf, OutreachError } from '../core/errors.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';

/** A kind of change that can be undone. */
interface Undoable {
  table: string;
  /** Returns the id of the row: that of the resource, or one that the entry has beside its fields. */
  idOf(entry: HistoryEntry): number;
  /** Fields that are part of sent emails. */
  carried: readonly string[];
  /** Condition: email `o` belongs to the row. */
  emails(id: number): Sql;
  apply(app: App, caller: Caller, entry: HistoryEntry, values: Record<string, unknown>): Promise<unknown>;
}

const ofResource = ({ resource_id: id }: HistoryEntry) => id ?? 0;

const KINDS: Readonly<Record<string, Undoable>> = {
  'campaign.update': {
    table: 'campaigns',
    idOf: ofResource,
    carried: ['account_id', 'reply_to', 'cc', 'bcc', 'track_opens', 'track_clicks', 'footer', 'spintax'],
    emails: (id) => sql`o.campaign_id = ${id} and o.reply_id is null`,
    apply: (app, caller, entry, values) => changeCampaign(app, caller, ofResource(entry), values),
  },
  'step.update': {
    table: 'steps',
    idOf: ({ changes }) => Number(changes.step_id),
    carried: ['subject', 'subject_b', 'body_html', 'body_html_b'],
    emails: (id) => sql`o.step_id = ${id}`,
    apply: (app, caller, entry, values) => changeStep(app, caller, ofResource(entry), Number(entry.changes.step_id), values),
  },
  'contact.update': {
    table: 'contacts',
    idOf: ofResource,
    carried: ['name', 'email', 'company', 'custom_fields'],
    emails: (id) => sql`o.contact_id = ${id} and o.reply_id is null`,
    apply: (app, caller, entry, values) => changeContact(app, caller, ofResource(entry), values),
  },
  'account.update': {
    table: 'accounts',
    idOf: ofResource,
    carried: ['from_name', 'signature_template_id', 'tracking_host', 'list_id'],
    emails: (id) => sql`o.account_id = ${id}`,
    apply: (app, caller, entry, values) => setAccount(app, caller, ofResource(entry), values),
  },
};

/** Fields that derive from others and are restored with them. */
const DERIVED = ['reply_to_set_by', 'list_set_by', 'subsequences_set_by', 'paused_by_account', 'ramp_started_on'];

/** Returns the fields of an entry with their values before and after. */
function fieldsOf({ changes }: HistoryEntry): [field: string, before: unknown, after: unknown][] {
  return Object.entries(changes).flatMap(([field, value]): [string, unknown, unknown][] =>
    Array.isArray(value) && value.length === 2 && !DERIVED.includes(field) ? [[field, value[0], value[1]]] : [],
  );
}

/** An entry of the audit log, and why its change can't be undone; null if it can. */
export interface ShownChange extends HistoryEntry {
  undo_refused: string | null;
}

/** Reads an entry, and checks whether its change can be undone now. Throws `not_found`. Index: audit_log_pkey. */
export async function showChange(app: App, caller: Caller, id: number): Promise<ShownChange> {
  const entry = await getHistoryEntry(app.db, caller, id);
  try {
    await requireUndoable(app.db, entry);
    return { ...entry, undo_refused: null };
  } catch (error) {
    if (!(error instanceof OutreachError)) throw error;
    return { ...entry, undo_refused: messageOf(error) };
  }
}

/**
 * Undoes a change of a campaign, a step, a contact or an account: its fields get their former values, which is a change of its own. Throws
 * `not_found`, and `conflict` for other changes, for fields that were changed again, and if an email has left with the new values.
 */
export async function undoChange(app: App, caller: Caller, id: number): Promise<ShownChange> {
  await app.db.tx(async (tx) => {
    const entry = await getHistoryEntry(tx, caller, id);
    const { kind, fields } = await requireUndoable(tx, entry, true);
    const values = Object.fromEntries(fields.map(([field, before]) => [field, before]));
    await kind.apply({ ...app, db: app.db.within(tx) }, inWorkspaceOf(caller, entry), entry, values);
  });
  return showChange(app, caller, id);
}

/** An operator may undo changes of any workspace. */
const inWorkspaceOf = (caller: Caller, entry: HistoryEntry): Caller => ({
  ...caller,
  workspaceId: entry.workspace_id ?? caller.workspaceId,
});

async function requireUndoable(db: Queryable | Tx, entry: HistoryEntry, isLocked = false) {
  const kind = KINDS[entry.action];
  if (kind === undefined)
    throw conflict(
      `only changes of campaigns, steps, contacts and accounts can be undone, not ${entry.action}; deletions are in: outreach trash list`,
    );
  const fields = fieldsOf(entry);
  if (fields.length === 0) throw conflict('this entry no longer says what was changed');
  const rowId = kind.idOf(entry);
  const lock = isLocked ? sql`for no key update` : sql``;
  const [row] = await db.query<{ values: Record<string, unknown> }>(
    sql`select to_jsonb(t) as values from ${raw(kind.table)} t where t.id = ${rowId} and t.deleted_at is null ${lock}`,
  );
  if (row === undefined) throw conflict('it was deleted since; to get it back, see: outreach trash list');
  const changed = fields.filter(([field, , after]) => !isSame(row.values[field], after)).map(([field]) => field);
  if (changed.length > 0)
    throw conflict(
      `changed again since: ${changed.join(', ')}; see: outreach history --resource ${entry.resource_type}/${entry.resource_id}`,
    );
  const carried = fields.map(([field]) => field).filter((field) => kind.carried.includes(field));
  if (carried.length > 0) await refuseIfLeft(db, kind.emails(rowId), entry, carried);
  return { kind, fields };
}

/** Throws `conflict` if an email has left since the change. Indexes: outbox_enrolment_id_step_id_key and others. The query is rare. */
async function refuseIfLeft(db: Queryable, ofRow: Sql, { id }: HistoryEntry, carried: readonly string[]): Promise<void> {
  const [left] = await db.query<{ count: number; recipient: string; at: string }>(sql`
    select count(*)::int as count, (array_agg(o.recipient order by o.transmitting_at desc))[1] as recipient,
      ${timestamp('max(o.transmitting_at)')} as at
    from outbox o where ${ofRow} and o.transmitting_at >= (select a.at from audit_log a where a.id = ${id})`);
  if (left === undefined || left.count === 0) return;
  throw conflict(
    `${quantity(left.count, 'email')} left with the new ${carried.join(', ')} since, the last to ${left.recipient} at ${left.at} UTC; change it instead`,
  );
}

/** True for equal values, and for equal instants in different notations. */
function isSame(now: unknown, then: unknown): boolean {
  if (JSON.stringify(now) === JSON.stringify(then)) return true;
  const isInstant = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  return isInstant(now) && isInstant(then) && Date.parse(now) === Date.parse(then);
}
