import { z } from 'zod';
import { sql } from '../../../src/db/statement.ts';
import { startSender } from '../../support/sender.ts';
import { at, type CommandCase, id, pageOf } from './case.ts';
import { address, connected, healthy, none, pausedAccount } from './world.ts';

const account = z.strictObject({
  id,
  provider: z.enum(['smtp', 'google', 'microsoft']),
  email: z.email(),
  from_name: z.string(),
  status: z.enum(['active', 'paused', 'disconnected']),
  daily_send_limit: z.int(),
  timezone: z.string(),
  send_window_start_hour: z.int(),
  send_window_end_hour: z.int(),
  send_batch_min: z.int(),
  send_batch_max: z.int(),
  send_batch_interval_minutes: z.int(),
  pause_reason: z.enum(['manual', 'provider_limit', 'provider_error']).nullable(),
  pause_message: z.string().nullable(),
  is_archived: z.boolean(),
  connected_at: at,
});
const overview = account.extend({
  ...{ sent_today: z.int(), limit_today: z.int(), last_polled_at: at.nullable(), poll_error: z.string().nullable() },
  ...{ bounce_rate: z.number().nullable(), tags: z.array(z.string()), health: z.enum(['good', 'watch', 'stop']).nullable() },
});
const login = z.strictObject({ host: z.string(), port: z.int(), problem: z.string().nullable() });

/** Commands about mailboxes. */
export const accountsCases: Record<string, CommandCase> = {
  'account archive': { args: async (world) => [await connected(world)], json: account, human: /is archived\.$/m },
  'account connect': {
    args: ({ smtp }) => [address('new'), '--smtp-url', `smtp://me@127.0.0.1:${smtp.port}`, '--daily-limit', '40'],
    env: () => ({ OUTREACH_SMTP_PASSWORD: 'secret' }),
    json: account,
    human: /at most 40 a day$/m,
  },
  'account delete': {
    args: async (world) => [await connected(world), '--yes'],
    json: z.strictObject({ id, deleted: z.literal(true) }),
    human: /was deleted; to undo, run: outreach trash restore accounts \d+/,
  },
  'account health': {
    args: async (world) => [await healthy(world)],
    json: z.strictObject({
      ...{ account_id: id, email: z.email(), health: z.literal('good'), since: at, checked_at: at },
      checks: z.array(z.looseObject({ check: z.literal('spf'), state: z.literal('good'), since: at, detail: z.string() })).length(1),
    }),
    human: /: good since .*\n\ngood +SPF +v=spf1/,
  },
  'account list': { args: async (world) => none(connected(world)), json: pageOf(overview), human: /^ID +EMAIL +STATUS/ },
  'account pause': {
    args: async (world) => [await connected(world)],
    json: account,
    human: /is paused with its campaigns; to continue, run: outreach account resume \d+/,
  },
  'account placement': {
    args: async (world) => {
      const { accountId } = await startSender(world, world.smtp);
      const test = {
        ...{ sent_at: '2026-07-07 12:00:00', campaign_id: 1, step_order: 1, subject: 'Hello' },
        results: [
          {
            ...{
              account_id: accountId,
              email: 'yan@example.org',
              provider: 'google',
              message_id: '<a@b>',
              place: 'inbox',
              folder: 'INBOX',
            },
            ...{ authentication: 'spf=pass', dkim_keys: [], problem: null },
          },
        ],
      };
      await world.app.db.query(sql`update accounts set placements = ${JSON.stringify([test])}::jsonb where id = ${accountId}`);
      return ['--from', String(accountId)];
    },
    json: z.strictObject({
      ...{ sent_at: at, campaign_id: id, step_order: id, subject: z.literal('Hello') },
      results: z.array(z.looseObject({ email: z.email(), place: z.literal('inbox') })).length(1),
    }),
    human: /^yan@example\.org +google +inbox +INBOX +spf=pass/m,
  },
  'account resume': { args: async (world) => [await pausedAccount(world)], json: account, human: /box\d+@example\.com/ },
  'account set': { args: async (world) => [await connected(world), '--batch-max', '7'], json: account, human: /^ {2}Batch max +7$/m },
  'account show': { args: async (world) => [await connected(world)], json: account, human: /^SMTP +smtp:\/\/me@127\.0\.0\.1:\d+$/m },
  'account test': {
    args: async (world) => [await connected(world)],
    json: z.strictObject({
      ...{ account_id: id, email: z.email(), ok: z.literal(true), smtp: login, imap: login.nullable(), resumed: z.boolean() },
    }),
    human: /^SMTP +127\.0\.0\.1 +\d+ +ok$/m,
  },
  'account unarchive': { args: async (world) => [await connected(world)], json: account, human: /was unarchived\.$/m },
};
