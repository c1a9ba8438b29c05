import { accountIs, canSend, isSameMailbox } from '../../accounts/index.ts';
import { isLiveContact } from '../../contacts/index.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/** Data that an answer needs in addition to the reply's record. */
export interface Origin {
  workspace_id: number;
  enrolment_id: number;
  account_email: string;
  /** The recipient of the email that was replied to. */
  mailed: string;
  mailed_subject: string;
  /** The account that got the reply, or the live account of the same mailbox. */
  account_id: number;
  can_send: boolean;
  /** The first step to make an account send again. */
  remedy: string;
  is_contact_live: boolean;
}

/** Reads the origin of a reply. Index: replies_pkey; a workspace has few accounts. */
export async function originOf(tx: Tx, id: number): Promise<Origin> {
  const [row] = await tx.query<Origin>(sql`
    select r.workspace_id, r.enrolment_id, a.email as account_email, o.recipient as mailed, coalesce(o.subject, '') as mailed_subject,
      a.id as account_id, ${canSend('a')} as can_send, exists (select from contacts t where t.id = r.contact_id and ${isLiveContact('t')}) as is_contact_live,
      case when a.deleted_at is not null or ${accountIs('a', 'disconnected')} then 'connect it again' when a.is_archived then 'unarchive it' else 'resume it' end as remedy
    from replies r join outbox o on o.id = r.outbox_id join accounts answered on answered.id = r.account_id
    cross join lateral (
      select b.* from accounts b where b.workspace_id = r.workspace_id and ${isSameMailbox('b', 'answered')}
      order by b.deleted_at is not null, b.id desc limit 1) a
    where r.id = ${id}`);
  if (row === undefined) throw new Error(`reply ${id} is gone`);
  return row;
}
