import { z } from 'zod';
import { at, type CommandCase, id } from './case.ts';

/** Commands about the installation itself. */
export const installationCases: Record<string, CommandCase> = {
  install: {
    args: () => [],
    json: z.strictObject({ data_dir: z.string(), base_url: z.url(), workspace_id: id, user_id: id, api_key: z.null() }),
    human: /^Outreach is already installed in /m,
  },
  migrate: {
    args: () => ['--status'],
    json: z.strictObject({ executed: z.array(z.string()).min(8), pending: z.array(z.string()).length(0) }),
    human: /^done {5}0001-access$/m,
  },
  status: {
    args: () => [],
    json: z.strictObject({
      ...{ running: z.boolean(), pid: z.int().nullable(), url: z.url().nullable(), started_at: z.string().nullable() },
      ...{ version: z.string(), uptime_seconds: z.int().nullable(), last_backup_at: at.nullable() },
      ...{ accounts_waiting: z.int(), mailboxes_unread: z.int(), messages_missing: z.int() },
      ...{ emails_today: z.int(), emails_today_limit: z.int() },
      ...{ accounts: z.int(), accounts_paused: z.int(), campaigns_active: z.int(), emails_in_flight: z.int() },
      ...{ emails_uncertain: z.int(), calls_due: z.int(), contacts_held: z.int(), database: z.string() },
      daemons: z.array(
        z.strictObject({
          ...{ worker: z.string(), host: z.string(), pid: z.int(), version: z.string(), roles: z.array(z.string()) },
          ...{ started_at: z.string(), seen_at: z.string() },
        }),
      ),
      ...{ jobs: z.array(z.object({ job: z.string(), every_seconds: z.number(), last_run_at: z.string().nullable() })) },
    }),
    human: /^Outreach +version .*not running on this machine/m,
  },
  stop: { args: () => [], json: z.strictObject({ stopped: z.literal(false) }), human: /^No daemon is running on / },
};
