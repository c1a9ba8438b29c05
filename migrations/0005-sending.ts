import { Migration } from '@mikro-orm/migrations';

/** The outbox, the event log, and inbound messages. */
export class Sending0005 extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      -- One row per enrolment and step, for ever: it guarantees that nothing is sent twice.
      create table outbox (
        id bigint generated always as identity primary key,
        workspace_id integer not null references workspaces,
        campaign_id integer not null references campaigns,
        enrolment_id integer not null references enrolments,
        contact_id integer not null references contacts,
        account_id integer not null references accounts,
        step_id integer not null references steps,
        step_order integer not null,
        variant text check (variant in ('A', 'B')),
        recipient text not null,
        state text not null
          check (state in ('claimed', 'transmitting', 'accepted', 'retry', 'failed', 'uncertain', 'unknown')),
        attempt integer not null default 1,
        worker text,
        lease_until timestamptz,
        message_id text not null unique,
        provider_message_id text,
        subject text,
        response text,
        claimed_at timestamptz not null,
        transmitting_at timestamptz,
        accepted_at timestamptz,
        closed_at timestamptz,
        unique (enrolment_id, step_id)
      );
      create index outbox_open on outbox (account_id, state, lease_until) where state in ('claimed', 'transmitting', 'uncertain', 'unknown');
      create index outbox_campaign_open on outbox (campaign_id) where state in ('claimed', 'transmitting', 'uncertain');
      create index outbox_recipient on outbox (account_id, lower(recipient), accepted_at desc);
      create index outbox_provider_message_id on outbox (provider_message_id) where provider_message_id is not null;
      create index outbox_enrolment on outbox (enrolment_id, id);

      create table events (
        id bigint generated always as identity primary key,
        workspace_id integer not null references workspaces,
        campaign_id integer not null references campaigns,
        contact_id integer not null references contacts,
        enrolment_id integer not null references enrolments,
        type text not null
          check (type in ('sent', 'opened', 'clicked', 'replied', 'bounced', 'failed', 'enrolled', 'unsubscribed')),
        step_order integer not null,
        url text,
        details jsonb,
        at timestamptz not null
      );
      create index events_feed on events (workspace_id, at desc, id desc);
      create index events_feed_type on events (workspace_id, type, at desc, id desc);
      create index events_campaign on events (campaign_id, at desc, id desc);
      create index events_contact on events (contact_id, at desc, id desc);
      create index events_enrolment on events (enrolment_id, type);

      create table inbound_messages (
        id bigint generated always as identity primary key,
        workspace_id integer not null references workspaces,
        account_id integer not null references accounts,
        folder text not null,
        uid_validity bigint not null,
        uid bigint not null,
        message_id text,
        sender text,
        subject text,
        verdict text not null,
        reasons jsonb not null default '[]',
        enrolment_id integer references enrolments,
        snippet text,
        received_at timestamptz,
        created_at timestamptz not null,
        unique (account_id, folder, uid_validity, uid)
      );
      create index inbound_messages_message_id on inbound_messages (account_id, message_id);
      create index inbound_messages_enrolment on inbound_messages (enrolment_id) where enrolment_id is not null;
    `);
  }

  override down(): void {
    this.addSql('drop table inbound_messages, events, outbox');
  }
}
