import { expect } from 'vitest';
import type { AccountSettings } from '../../src/accounts/index.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { sendAnswers } from '../../src/sending/index.ts';
import type { ImapServer } from './imap-server.ts';
import { reply } from './inbound-mail.ts';
import type { SentMail } from './polled-mailbox.ts';
import { giveMailbox, startSender } from './sender.ts';
import type { servedInstallation } from './served.ts';
import type { SmtpSink } from './smtp-sink.ts';

interface Servers {
  installation: Awaited<ReturnType<typeof servedInstallation>>;
  imap: ImapServer;
  sink: SmtpSink;
}

/** Creates a contact who was emailed and has replied. @param from headers of the reply */
export async function repliedContact(
  { installation, imap, sink }: Servers,
  { account = {}, from = {} }: { account?: Partial<AccountSettings>; from?: Record<string, string> } = {},
) {
  const { app, api } = installation;
  const sender = await startSender(installation, sink, { steps: [{ subject: 'Hello' }, { wait_days: 1 }], account });
  const mailbox = await giveMailbox(installation, sender.accountId, imap.port);
  await sender.batch();
  const [mail] = await app.db.query<SentMail>(
    sql`select message_id as "messageId", recipient, enrolment_id as "enrolmentId" from outbox where campaign_id = ${sender.campaignId}`,
  );
  if (mail === undefined) throw new Error('nothing was sent');
  const receiveAll = async (messages: readonly (string | Buffer)[]) => {
    for (const raw of messages) await imap.append(mailbox, 'INBOX', raw);
    const count = messages.length;
    expect(await new MailboxPoller(app).poll(sender.accountId)).toEqual({ read: count, matched: count });
    // The clock of the mail server is the machine's.
    await app.db.query(sql`update replies set received_at = created_at where enrolment_id = ${mail.enrolmentId}`);
    const rows = await app.db.query<{ id: number }>(
      sql`select id from replies where enrolment_id = ${mail.enrolmentId} order by id desc limit ${count}`,
    );
    return rows.map(({ id: received }) => received);
  };
  const receive = async (raw: string | Buffer) => (await receiveAll([raw]))[0] ?? 0;
  const id = await receive(reply(mail, { 'Message-ID': `<their-${mail.enrolmentId}@recipient.example>`, ...from }, 'Yes, let us talk.'));
  sink.messages.length = 0;
  return {
    ...sender,
    mail,
    mailbox,
    id,
    receive,
    receiveAll,
    read: async () => (await api.get(`/replies/${id}`)).body,
    answer: (body: object = { text: 'Tuesday suits me.' }, headers = {}) => api.post(`/replies/${id}/answer`, body, headers),
    poll: () => new MailboxPoller(app).poll(sender.accountId),
    send: () => sendAnswers(app, sender.accountId),
    answers: () =>
      app.db.query<{ id: number; state: string; attempt: number }>(
        sql`select id, state, attempt from outbox where reply_id = ${id} order by id`,
      ),
    enrolment: async () =>
      (await app.db.query(sql`select status, current_step, due_at, hold_reason from enrolments where id = ${mail.enrolmentId}`))[0],
  };
}
