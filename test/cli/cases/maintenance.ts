import { join } from 'node:path';
import { z } from 'zod';
import { createContact } from '../../../src/contacts/index.ts';
import { ACTIVITIES } from '../../../src/live/index.ts';
import { at, type CommandCase, id, pageOf } from './case.ts';
import { address, connected, draft, fresh, none, pausedAccount, type World } from './world.ts';

async function contact({ app, caller }: World): Promise<string> {
  return (await createContact(app, caller, { email: address('person') })).email;
}

/** Commands about stored data: all of it, that of one person, and its counts. */
export const maintenanceCases: Record<string, CommandCase> = {
  backup: {
    args: async ({ dataDir }) => [join(dataDir, fresh('backup'))],
    json: z.strictObject({ file: z.string(), made_at: z.iso.datetime(), tables: id, rows: id, key_id: z.string().regex(/^[0-9a-f]{8}$/) }),
    human: /^Wrote [\d,]+ rows from \d+ tables to /,
  },
  logs: {
    args: async (world) => none(pausedAccount(world)).then(() => ['--since', '2026-01-01']),
    json: pageOf(
      z.strictObject({
        ...{ id: z.string(), at, what: z.enum(ACTIVITIES), email_id: id.nullable() },
        ...{ account_id: id.nullable(), account: z.email().nullable(), domain: z.string().nullable() },
        ...{ code: z.string().nullable(), reason: z.string().nullable() },
        ...{ campaign_id: id.nullable(), campaign: z.string().nullable() },
      }),
    ),
    human: /^2026-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}paused {8}\S+@\S+ {2}manual$/m,
  },
  'person erase': {
    args: async (world) => [await contact(world), '--yes'],
    json: z.strictObject({ erased: z.record(z.string(), id), kept: z.array(z.string()) }),
    human: /^Erased: .*contacts: 1/,
  },
  'person export': {
    args: async (world) => [await contact(world)],
    json: z.strictObject({
      ...{ email: z.email(), exported_at: z.iso.datetime(), workspaces: z.record(z.string(), z.string()) },
      data: z.record(z.string(), z.array(z.looseObject({}))),
    }),
    human: /^\{\n {2}"email": /,
  },
  'campaign tracking': {
    args: async (world) => [await draft(world)],
    json: z.strictObject({ data: z.array(z.looseObject({ kind: z.string(), hits: z.int(), last_at: at.nullable() })) }),
    human: /^Nobody has opened or clicked yet\.$/m,
  },
  'config check': {
    args: () => [],
    json: z.strictObject({ data_dir: z.string(), files: z.array(z.string()) }),
    human: /^The settings are valid\. (No settings file was read|Read \S+)\./,
  },
  recovered: {
    args: async (world) => none(connected(world)),
    json: z.strictObject({ accounts_paused: id, campaigns_paused: z.int() }),
    human: /^Paused \d+ accounts? and \d+ campaigns?\.\nCheck the Sent folder of each account/,
  },
  'stats recount': {
    args: () => [],
    json: z.strictObject({ corrections: z.array(z.looseObject({ campaign_id: id, counter: z.string() })) }),
    human: /^(All totals are right\.|CAMPAIGN +ROWS)/,
  },
};
