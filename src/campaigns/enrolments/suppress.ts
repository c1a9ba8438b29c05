import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { addressedBy, addSuppression, holdsInItsWorkspace, type SuppressionRow } from '../../contacts/index.ts';
import { addressOrDomain } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import { empty, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { enrolmentIs } from '../states/enrolment.ts';
import type { Precedence } from './precedence.ts';
import { endEnrolments } from './transitions.ts';

export interface SuppressionInput {
  email: string;
  reason: string | null;
  /** True to suppress in the workspace alone; otherwise in the whole installation. */
  workspaceOnly?: boolean;
}

/**
 * Adds an address, or a domain as `@example.com`, to the suppression list and stops its active enrolments. An entry that is already listed
 * keeps its first reason. Throws `invalid_request` for a malformed address.
 */
export async function suppressAddress(app: App, caller: Caller, input: SuppressionInput): Promise<SuppressionRow> {
  const { isNew: _, ...row } = await app.db.tx((tx) => suppressInTx(tx, app, caller, { ...input, endAs: 'stopped' }));
  return row;
}

/** The result for one row of `suppressAll`. */
export interface SuppressedRow {
  /** As stored, or as given if it was rejected. */
  email: string;
  status: 'added' | 'present' | 'rejected';
  /** The reason of a rejection. */
  message: string | null;
}

/**
 * Suppresses many addresses and domains in one transaction, as `suppressAddress` does for one. Rejects malformed ones and keeps the others:
 * an opted-out contact must not be emailed because of an error in another line.
 * @returns the result of each row, in their order
 */
export async function suppressAll(app: App, caller: Caller, rows: readonly SuppressionInput[]): Promise<SuppressedRow[]> {
  const results = rows.map(({ email }): SuppressedRow => {
    try {
      return { email: addressOrDomain(email).email, status: 'present', message: null };
    } catch (error) {
      return { email, status: 'rejected', message: messageOf(error) };
    }
  });
  // Sorted by address, so that two imports can't deadlock.
  const order = [...results.keys()].sort((a, b) => compare(results[a]?.email, results[b]?.email));
  await app.db.tx(async (tx) => {
    for (const index of order) {
      const [result, row] = [results[index], rows[index]];
      if (result === undefined || row === undefined || result.status === 'rejected') continue;
      const { isNew, email } = await suppressInTx(tx, app, caller, { ...row, endAs: 'stopped' });
      results[index] = { email, status: isNew ? 'added' : 'present', message: null };
    }
  });
  return results;
}

const compare = (a = '', b = ''): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

/** The way in which the active enrolments of a suppressed address end. */
interface EndOfAddress {
  endAs: 'stopped' | 'bounced';
  /** Set if a message causes the suppression: then it also ends enrolments that weaker messages of the same poll have ended. */
  precedence?: Precedence | undefined;
}

/**
 * Suppresses an address in the caller's transaction, for unsubscribes, bounces and complaints, and ends its active enrolments as `endAs`,
 * in the workspace or the whole installation according to `workspaceOnly` and the setting `suppressionScope`.
 * @returns the suppression, with `isNew` true if the address was not listed before
 */
export async function suppressInTx(
  tx: Tx,
  app: App,
  caller: Caller,
  { endAs, precedence, ...input }: SuppressionInput & EndOfAddress,
): Promise<SuppressionRow & { isNew: boolean }> {
  const suppression = await addSuppression(tx, app, caller, { ...input, replyId: precedence?.replyId ?? undefined });
  const scope = holdsInItsWorkspace(app, input) ? sql`and k.workspace_id = ${caller.workspaceId}` : empty;
  const weaker = precedence?.ends.weakerThan(precedence.strength) ?? [];
  // Indexes: those of `addressedBy`, enrolments_contact.
  const active = await tx.query<{ id: number }>(sql`
    select e.id from contacts k join enrolments e on e.contact_id = k.id and (${enrolmentIs('e', 'active')} or e.id = any(${weaker}::int[]))
    where ${addressedBy(suppression.email, 'k')} ${scope}`);
  await endEnrolments(
    tx,
    app,
    caller,
    active.map((row) => row.id),
    { status: endAs, ...(endAs === 'stopped' ? { reason: 'suppressed' } : {}), ...(precedence && { precedence }) },
  );
  return suppression;
}
