import type { App } from '../src/app.ts';
import { bulkLoad } from './bulk-load.ts';

/** Number of different words in replies: a few are in most replies, most are in few. */
const VOCABULARY = 20_000;
const WORDS_EACH = 25;

/**
 * Adds replies of the last two years to the default workspace, evenly over its contacts and the campaigns given: two thirds are from
 * people, a hundredth is unread, a twentieth has a label. The words of their text are drawn by rank: `word1` is the most frequent.
 */
export async function seedReplies(app: App, campaigns: readonly number[], replies: number): Promise<void> {
  const now = app.clock.now();
  await bulkLoad(app.db.pool, ['replies'], async (client) => {
    await client.query(
      `insert into replies (workspace_id, campaign_id, contact_id, enrolment_id, account_id, outbox_id, step_order, inbound_id, mailbox_id, kind,
         sender, sender_name, subject, own_text, full_text, label, is_read, received_at, created_at)
       select 1, ($2::int[])[1 + i % $3], t.first + (i::bigint * 7919 % t.count)::int, i, a.id, i, 1 + i % 3, i, a.id,
         (array['reply','reply','reply','reply','reply','reply','colleague','unsubscribe_request','auto_reply','auto_reply'])[1 + i % 10],
         'seed-' || i || '@' || to_hex(i % 5003) || '.example', (array['Ada','Grace','Alan','Edsger','Barbara'])[1 + i % 5] || ' ' || to_hex(i % 70001),
         'Re: Subject ' || i % 3, text.own, text.own || E'\\n\\nOn Tue, 7 Jul 2026, Zoe <zoe@example.com> wrote:\\n' || repeat('> Hello, may I ask for ten minutes of your time?' || E'\\n', 8),
         case when i % 20 = 3 then (array['interested','meeting','question','later'])[1 + i / 20 % 4] end, i % 97 <> 7, at, at
       from generate_series(1, $4::int) i
       cross join (select min(id) as first, count(*) as count from contacts where workspace_id = 1) t
       cross join (select min(id) as id from accounts where workspace_id = 1) a
       cross join lateral (select $1::timestamptz - interval '2 years' * (1 - i / $4::float8) as at) moment
       cross join lateral (
         select string_agg('word' || floor(power(${VOCABULARY}, random()))::int + n * 0, ' ') as own
         from generate_series(1, ${WORDS_EACH}) n where i > 0) text`,
      [now, campaigns, campaigns.length, replies],
    );
  });
}
