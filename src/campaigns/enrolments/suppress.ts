import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { addSuppression, type SuppressionRow } from '../../contacts/index.ts';
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
 * Adds an address to the suppression list and stops its active enrolments. An address already listed keeps its first reason.
 * Throws `invalid_request` for a malformed address.
 */
export async function suppressAddress(app: App, caller: Caller, input: SuppressionInput): Promise<SuppressionRow> {
  const { isNew: _, ...row } = await app.db.tx((tx) => suppressInTx(tx, app, caller, { ...input, endAs: 'stopped' }));
  return row;
}

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
  const scope =
    app.config.suppressionScope === 'workspace' || input.workspaceOnly === true ? sql`and k.workspace_id = ${caller.workspaceId}` : empty;
  const weaker = precedence?.ends.weakerThan(precedence.strength) ?? [];
  // Indexes: contacts_email, enrolments_contact.
  const active = await tx.query<{ id: number }>(sql`
    select e.id from contacts k join enrolments e on e.contact_id = k.id and (${enrolmentIs('e', 'active')} or e.id = any(${weaker}::int[]))
    where lower(k.email) = lower(${suppression.email}) ${scope}`);
  await endEnrolments(
    tx,
    app,
    caller,
    active.map((row) => row.id),
    { status: endAs, ...(endAs === 'stopped' ? { reason: 'suppressed' } : {}), ...(precedence && { precedence }) },
  );
  return suppression;
}
