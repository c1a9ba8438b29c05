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
  /** Holds in the workspace alone; otherwise in the whole installation. */
  workspaceOnly?: boolean;
}

/**
 * Adds an address, or a domain as `@example.com`, to the suppression list and stops its active enrolments. One already listed keeps its
 * first reason. Throws `invalid_request` for a malformed address.
 */
export async function suppressAddress(app: App, caller: Caller, input: SuppressionInput): Promise<SuppressionRow> {
  const { isNew: _, ...row } = await app.db.tx((tx) => suppressInTx(tx, app, caller, { ...input, endAs: 'stopped' }));
  return row;
}

/** The result of a row of `suppressAll`. */
export interface SuppressedRow {
  /** As it is stored; as it was given, where it is rejected. */
  email: string;
  status: 'added' | 'present' | 'rejected';
  /** The reason of a rejection. */
  message: string | null;
}

/**
 * Suppresses many addresses and domains in one transaction, as `suppressAddress` does one. Malformed ones are rejected and the others
 * kept: whoever opted out must not be emailed because of another line.
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
  // In the order of addresses, so that two imports don't wait for each other.
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

/** The end of the active enrolments of a suppressed address. */
interface EndOfAddress {
  endAs: 'stopped' | 'bounced';
  /** Where a message asks for it: it also ends what weaker messages of its poll have ended. */
  precedence?: Precedence | undefined;
}

/**
 * Suppresses an address in the caller's transaction, for unsubscribes, bounces and complaints, and ends its active
 * enrolments as `endAs`, in the workspace or the whole installation according to `workspaceOnly` and the setting
 * `suppressionScope`.
 * @returns the suppression, and true as `isNew` when the address was not listed before
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
