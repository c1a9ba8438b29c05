import type { PoolClient } from 'pg';

export interface WorkspaceSeed {
  workspaceId: number;
  /** Creates everything except the first tenth of the contacts and the last campaign, which are private to the colleague. */
  owner: number;
  colleague: number;
  contacts: number;
  events: number;
  now: Date;
}

/** The ids of the seeded rows; each list has more contacts than the next. */
export interface SeededWorkspace {
  workspaceId: number;
  /** The first of consecutive ids, as many as requested. */
  firstContact: number;
  contacts: number;
  events: number;
  campaigns: number[];
  lists: number[];
}

const EVENTS_PER_ENROLMENT = 5;
const CAMPAIGNS_PER_ROUND = 10;

/**
 * Fills one workspace inside a bulk load. The server generates the rows (generate_series), which is faster than COPY because
 * nothing is transferred. Every contact goes through enough rounds of campaigns to yield about the wanted number of events.
 */
export async function seedWorkspace(client: PoolClient, seed: WorkspaceSeed): Promise<SeededWorkspace> {
  const firstContact = await seedContactRows(client, seed);
  const lists = await seedLists(client, seed, firstContact);
  await seedSuppressions(client, seed, firstContact);
  const rounds = Math.ceil(seed.events / EVENTS_PER_ENROLMENT / seed.contacts);
  const campaigns = await seedCampaigns(client, seed, rounds * CAMPAIGNS_PER_ROUND);
  const enrolments = Math.min(Math.ceil(seed.events / EVENTS_PER_ENROLMENT), rounds * seed.contacts);
  const firstEnrolment = await seedEnrolments(client, seed, firstContact, campaigns, enrolments);
  await seedEvents(client, seed, firstEnrolment);
  const { workspaceId, contacts } = seed;
  return { workspaceId, firstContact, contacts, events: enrolments * EVENTS_PER_ENROLMENT, campaigns, lists };
}

async function seedContactRows(client: PoolClient, { workspaceId, owner, colleague, contacts, now }: WorkspaceSeed): Promise<number> {
  await client.query(
    `insert into custom_fields (workspace_id, name, key, field_type, created_at)
     select $1, k, k, t, $2::timestamptz from (values ('city', 'text'), ('score', 'number'), ('renewal', 'date')) f (k, t) on conflict do nothing`,
    [workspaceId, now],
  );
  const first = await reserve(client, 'contacts', contacts);
  await client.query(
    `insert into contacts (id, workspace_id, name, email, company, custom_fields, is_archived, is_shared_to_all, created_by, created_at, updated_at)
     select $3 + i, $1, (array['Ada','Grace','Alan','Edsger','Barbara','Donald','Tony'])[1 + i % 7] || ' ' || to_hex(i),
       'seed-' || $3 + i || '@' || to_hex(i % 5003) || '.example', 'Company ' || i % 20011,
       jsonb_build_object('city', 'City ' || i % 1009, 'score', (i % 100)::text, 'renewal', (date '2026-01-01' + i % 3650)::text),
       i % 20 = 7, i >= $4 / 10, case when i < $4 / 10 then $6::int else $5::int end, at, at
     from generate_series(0, $4 - 1) i, lateral (select $2::timestamptz - interval '2 years' * (1 - i / $4::float8) as at) t`,
    [workspaceId, now, first, contacts, owner, colleague],
  );
  return first;
}

/** Lists of one in ten, one in a thousand, and five contacts. */
async function seedLists(client: PoolClient, { workspaceId, owner, contacts, now }: WorkspaceSeed, first: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `insert into lists (workspace_id, name, created_by, created_at)
     select $1, name, $2::int, $3::timestamptz from unnest(array['Many', 'Some', 'Few']) name returning id`,
    [workspaceId, owner, now],
  );
  const lists = rows.map(({ id }) => id);
  for (const [index, every] of [10, 1_000, Math.max(1, Math.floor(contacts / 5))].entries())
    await client.query(
      'insert into list_members (list_id, contact_id, added_at) select $1::int, c, $2::timestamptz from generate_series($3::int, $4::int, $5::int) c',
      [lists[index], now, first + (index === 2 ? 0 : 3), first + contacts - 1, every],
    );
  return lists;
}

/** Suppressions, a tenth as many as contacts; a fifth of them are addresses of contacts. */
async function seedSuppressions(client: PoolClient, { workspaceId, owner, contacts, now }: WorkspaceSeed, first: number): Promise<void> {
  await client.query(
    `insert into suppressions (workspace_id, email, reason, created_by, created_at)
     select workspace_id, email, 'manual', $4::int, $5::timestamptz from contacts where id between $2 and $3 and id % 50 = 11
     union all
     select $1, 'gone-' || $2 + i || '@nowhere.example', 'manual', $4, $5 from generate_series(1, ($3 - $2) / 12) i`,
    [workspaceId, first, first + contacts - 1, owner, now],
  );
}

/** Creates campaigns, paused like their account: none of this is ever sent. */
async function seedCampaigns(client: PoolClient, seed: WorkspaceSeed, campaigns: number): Promise<number[]> {
  const { workspaceId, owner, colleague, now } = seed;
  const server = JSON.stringify({ host: '127.0.0.1', port: 25, secure: false, tls: 'off', user: null });
  const { rows } = await client.query<{ id: number }>(
    `with account as (
       insert into accounts (workspace_id, provider, email, status, pause_reason, paused_at, smtp, smtp_secret, created_by, connected_at, updated_at)
       values ($1::int, 'smtp', 'seed-' || $1::int || '-' || $6::bigint || '@example.com', 'paused', 'manual', $4::timestamptz, $5::jsonb, '', $2::int, $4::timestamptz, $4::timestamptz) returning id
     )
     insert into campaigns (workspace_id, name, status, account_id, timezone, is_shared_to_all, created_by, created_at, updated_at)
     select $1, 'Campaign ' || n, 'paused', account.id, 'UTC', n < $7 or $2::int = $3::int, case when n < $7 then $2::int else $3 end, $4::timestamptz, $4::timestamptz
     from account, generate_series(1, $7::int) n order by n returning id`,
    [workspaceId, owner, colleague, now, server, now.getTime(), campaigns],
  );
  const ids = rows.map(({ id }) => id);
  await client.query(
    `insert into steps (campaign_id, step_order, subject, body_html, wait_days, created_at, updated_at)
     select c, s, 'Subject ' || s, '<p>Hello {{name}}</p>', 3, $2::timestamptz, $2::timestamptz from unnest($1::int[]) c, generate_series(1, 3) s`,
    [ids, now],
  );
  return ids;
}

/** Enrolments over the last year, round after round. Their number determines how each ended. */
async function seedEnrolments(
  client: PoolClient,
  { workspaceId, contacts, now }: WorkspaceSeed,
  firstContact: number,
  campaigns: readonly number[],
  enrolments: number,
): Promise<number> {
  const first = await reserve(client, 'enrolments', enrolments);
  await client.query(
    `insert into enrolments (id, workspace_id, campaign_id, contact_id, status, stop_reason, current_step, due_at, last_sent_at, last_sent_step,
       created_at, updated_at)
     select $3 + i, $1, ($6::int[])[1 + ${CAMPAIGNS_PER_ROUND} * (i / $5) + i % ${CAMPAIGNS_PER_ROUND}], $4 + i % $5, o.status,
       case o.status when 'stopped' then 'unsubscribed' end, 3, case o.status when 'active' then at + interval '30 days' end, case o.last when 'sent' then ends else at + interval '3 days' end, 2,
       at, ends
     from generate_series(0, $7::int - 1) i
     cross join lateral (select $2::timestamptz - interval '8 days' - interval '1 year' * (1 - i / $7::float8) as at) t
     cross join lateral (select at + interval '4 days' as ends) n
     join (values (0, 'replied', 'replied'), (1, 'bounced', 'bounced'), (2, 'stopped', 'unsubscribed'), (3, 'stopped', 'failed'),
       (4, 'active', 'clicked'), (5, 'active', 'clicked'), (6, 'active', 'clicked'), (7, 'completed', 'sent')) o (kind, status, last)
       on o.kind = least(i / 3 % 16, 7)`,
    [workspaceId, now, first, firstContact, contacts, campaigns, enrolments],
  );
  return first;
}

/** The events of each enrolment: three emails, the first of which was opened, or two and how it ended. */
async function seedEvents(client: PoolClient, { workspaceId }: WorkspaceSeed, firstEnrolment: number): Promise<void> {
  await client.query(
    `insert into events (workspace_id, campaign_id, contact_id, enrolment_id, type, step_order, url, at, in_feed, step_id, account_id, domain, day,
       counts_as, is_first_of_email, is_first_of_contact, is_of_first_email)
     select e.workspace_id, e.campaign_id, e.contact_id, e.id, v.type, v.step, case v.type when 'clicked' then 'https://example.com/' || e.id % 100 end,
       e.created_at + v.after, true, case when v.type <> 'enrolled' then s.id end, c.account_id, lower(split_part(k.email, '@', 2)),
       ((e.created_at + v.sent_after) at time zone 'UTC')::date, case v.type when 'bounced' then 'refused' else v.type end,
       v.type <> 'enrolled', v.type <> 'sent' or v.step = 1, v.step = 1 and v.type <> 'enrolled'
     from enrolments e join campaigns c on c.id = e.campaign_id join contacts k on k.id = e.contact_id
     cross join lateral (values ('enrolled', 1, interval '0', interval '0'), ('sent', 1, '1 hour', '1 hour'), ('opened', 1, '3 hours', '1 hour'),
       ('sent', 2, '3 days', '3 days'),
       (case least((e.id - $2) / 3 % 16, 7) when 0 then 'replied' when 1 then 'bounced' when 2 then 'unsubscribed' when 3 then 'failed' when 7 then 'sent'
          else 'clicked' end, 3, '4 days', '4 days')) v (type, step, after, sent_after)
     join steps s on s.campaign_id = e.campaign_id and s.step_order = v.step
     where e.workspace_id = $1 and e.id >= $2`,
    [workspaceId, firstEnrolment],
  );
}

/** Reserves consecutive ids and returns the first. */
async function reserve(client: PoolClient, table: 'contacts' | 'enrolments', count: number): Promise<number> {
  const { rows } = await client.query<{ first: string }>(`select nextval(pg_get_serial_sequence($1, 'id')) as first`, [table]);
  const first = Number(rows[0]?.first);
  await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2::bigint)`, [table, first + count - 1]);
  return first;
}
