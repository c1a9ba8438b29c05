import { type Sql, sql } from '../db/statement.ts';
import { isStepEmail } from './answers.ts';
import { isSent } from './states.ts';

/**
 * A `from` clause with the sequence emails `o` of the workspace that were, or may have been, sent to an address, whichever contact had it
 * at the time. Index: outbox_recipient.
 */
export const emailsToAddress = (workspaceId: Sql, address: Sql): Sql => sql`
  from outbox o where o.workspace_id = ${workspaceId} and mailbox_key(o.recipient) = mailbox_key(${address})
    and address_key(o.recipient) = address_key(${address}) and ${isStepEmail('o')} and ${isSent('o')}`;
