import { join } from 'node:path';
import { z } from 'zod';
import { insertAccount, insertContact } from '../../support/rows.ts';
import { startSender } from '../../support/sender.ts';
import { at, type CommandCase, id, pageOf } from './case.ts';
import { address, deletedList, draft, dueCall, file, fresh, none, rotated, running, unknownMail } from './world.ts';

const call = z.strictObject({
  ...{ id, campaign_id: id, campaign_name: z.string(), contact_id: id, name: z.string(), email: z.email() },
  ...{ company: z.string().nullable(), phone: z.string().nullable(), step_order: id, notes: z.string() },
  ...{ status: z.string(), note: z.string().nullable(), due_at: at },
});
const mail = z.strictObject({
  ...{ id, campaign_id: id, campaign_name: z.string(), contact_id: id, recipient: z.email(), step_order: id, account_id: id },
  ...{ account_email: z.email(), state: z.string() },
  ...{ attempt: z.int(), message_id: z.string(), response: z.string().nullable(), transmitting_at: at.nullable() },
});
const counts = {
  ...{ contacts: z.int(), active: z.int(), sent: z.int(), opened: z.int(), clicked: z.int() },
  ...{ replied: z.int(), bounced: z.int(), failed: z.int() },
};
const planned = z.strictObject({ day: z.iso.date(), emails: z.int(), free: z.int() });
const rotationRow = {
  id,
  name: z.string(),
  status: z.string(),
  is_archived: z.boolean(),
  campaigns: z.int(),
  account_count: z.int(),
  ...counts,
  created_at: at,
};
const rotation = z.strictObject({
  ...rotationRow,
  members: z.array(
    z.strictObject({
      ...{ campaign_id: id, name: z.string(), status: z.string(), is_archived: z.boolean(), account_id: id, account_email: z.email() },
      ...{ is_leaving: z.boolean(), account_status: z.string(), ...counts },
    }),
  ),
});
const campaign = z.strictObject({
  ...{ id, name: z.string(), status: z.string(), account_id: id, account_email: z.email(), reply_to: z.string().nullable() },
  ...{ reply_to_connected: z.boolean(), timezone: z.string(), sending_days: z.array(z.int()), sending_hour_start: z.int() },
  ...{ sending_hour_end: z.int(), ab_test_enabled: z.boolean(), ab_split_percent: z.int(), sending_hour_start_b: z.int().nullable() },
  ...{ sending_hour_end_b: z.int().nullable(), starts_at: at.nullable(), is_archived: z.boolean(), is_shared_to_all: z.boolean() },
  ...{ step_count: z.int(), contact_count: z.int(), created_at: at, updated_at: at },
});
const done = (outcome: string) => z.strictObject({ id, outcome: z.literal(outcome) });

/** Commands about campaigns, their emails and their contacts. */
export const campaignsCases: Record<string, CommandCase> = {
  'call done': { args: async (world) => [await dueCall(world), '--note', 'will think'], json: done('done'), human: /is done/ },
  'call list': { args: async (world) => none(dueCall(world)), json: pageOf(call), human: /^ID .*\n.*Ring/ },
  'call skip': { args: async (world) => [await dueCall(world)], json: done('skipped'), human: /was skipped/ },
  'campaign explain': {
    args: async (world) => [await draft(world)],
    json: z.strictObject({
      campaign_id: id,
      status: z.literal('draft'),
      reasons: z.array(z.string()).min(1),
      notes: z.array(z.string()),
      next_send_at: at.nullable(),
    }),
    human: /draft/,
  },
  calendar: {
    args: async (world) => none(running(world)),
    json: z.strictObject({
      ...{ from: z.iso.date(), until: z.iso.date(), emails: z.int(), free: z.int() },
      days: z.array(planned).length(30),
      accounts: z.array(
        z.strictObject({
          ...{ account_id: id, account_email: z.email(), can_send: z.boolean(), emails: z.int(), free: z.int() },
          days: z.array(planned).length(30),
        }),
      ),
      campaigns: z.array(
        z.strictObject({
          ...{ campaign_id: id, name: z.string(), emails: z.int(), contacts: z.int(), unfinished: z.int() },
          causes: z.array(z.strictObject({ reason: z.string(), contacts: z.int(), accounts: z.array(z.email()) })),
        }),
      ),
      summary: z.array(z.string()).min(2),
    }),
    human: /^\d+ emails? will be sent.*DAY +WEEKDAY +EMAILS +FREE/s,
  },
  'campaign forecast': {
    args: async (world) => [await running(world)],
    json: pageOf(
      z.strictObject({ contact_id: id, email: z.email(), step_order: id, account_id: id, account_email: z.email(), send_at: at }),
    ),
    human: /^SEND \(.*\) +EMAIL/,
  },
  'campaign apply': {
    args: async (world) => {
      const email = address('applied');
      await insertAccount(world.app, { email });
      const text = `name: ${fresh('Applied')}\naccounts: [${email}]\nsteps:\n  - { subject: S, body: <p>B</p> }\n`;
      return [await file(world, 'campaign.yaml', text), '--yes'];
    },
    json: z.strictObject({
      digest: z.string(),
      results: z.array(z.looseObject({ id, action: z.literal('create'), before: z.null() })).length(1),
      mistakes: z.array(z.never()),
    }),
    human: /^\+hours: 9-17\n[\s\S]*^Created campaign \d+, Applied/m,
  },
  'campaign test': {
    args: async (world) => {
      const { campaignId } = await startSender(world, world.smtp);
      return [String(campaignId), '--to', 'me@example.com'];
    },
    json: z.strictObject({
      ...{ to: z.literal('me@example.com'), from: z.email(), contact_id: id },
      emails: z
        .array(
          z.strictObject({ step_order: id, variant: z.literal('A'), subject: z.string().startsWith('[Test] '), message_id: z.string() }),
        )
        .length(1),
    }),
    human: /^Sent 1 test from \S+ to me@example\.com\.$/m,
  },
  'campaign export': {
    args: async (world) => [await draft(world)],
    json: z.looseObject({ name: z.string(), hours: z.literal('9-17'), steps: z.array(z.looseObject({ body: z.string() })) }),
    human: /^hours: 9-17$/m,
  },
  'campaign list': {
    args: async (world) => none(draft(world)),
    json: pageOf(campaign.extend({ rotation_id: id.nullable(), account_count: id })),
    human: /^ID +NAME +STATUS/,
  },
  'campaign show': {
    args: async (world) => [await draft(world)],
    json: campaign.extend({ rotation: rotation.nullable() }),
    human: /^STEP +KIND +WAIT +SUBJECT\n +1 +email/m,
  },
  'campaign check': {
    args: async (world) => [await draft(world)],
    json: z.strictObject({
      ...{ ok: z.literal(true), campaign_id: id },
      warnings: z.array(
        z.strictObject({
          ...{ code: z.string(), is_blocking: z.literal(false), message: z.string() },
          ...{ step_order: z.int().nullable(), contacts: z.int().nullable() },
        }),
      ),
    }),
    human: /^warn {2}the workspace has no postal address/m,
  },
  'campaign preview': {
    args: async (world) => [await draft(world), '--contact', String(await insertContact(world.app, { name: 'Ada' }))],
    json: z.object({
      campaign_id: id,
      contact_id: id,
      steps: z.array(z.object({ subject: z.literal('Hello Ada') })),
      warnings: z.array(z.string()),
    }),
    human: /^Subject: Hello Ada$/m,
  },
  'campaign set': {
    args: async (world) => [await draft(world), '--auto-reopen', 'false'],
    json: z.looseObject({ id, status: z.literal('draft'), auto_reopen: z.literal(false) }),
    human: /^ {2}Auto reopen +off$/m,
  },
  'contact export': {
    args: async (world) => [await none(insertContact(world.app)).then(() => join(world.dataDir, fresh('export')))],
    json: z.strictObject({ exported: id, file: z.string() }),
    human: /^Wrote [\d,]+ contacts? to /,
  },
  // Names outside the public DNS are not looked up.
  'contact verify': {
    args: async (world) => [String(await insertContact(world.app, { email: `ada@${fresh('verify')}.test` }))],
    json: z.strictObject({ ok: z.int(), risky: z.int(), bad: z.literal(1), unknown: z.int(), data: z.array(z.looseObject({ id })) }),
    human: /^bad {6}ada@verify\S*\.test: .*\n1 address was checked: 0 ok, 0 risky, 1 bad, 0 unknown\./,
  },
  'contact import': {
    args: async (world) => [await file(world, 'people.csv', `email,name\n${address('import')},Imp\n`)],
    json: z.looseObject({ rows: z.literal(1), imported: z.literal(1), rejected: z.literal(0) }),
    human: /^Imported 1 of 1 row \(/,
  },
  'mail classify': {
    args: async (world) => [await file(world, 'reply.eml', 'From: a@example.org\r\nSubject: Re: Hello\r\n\r\nYes, please.\r\n')],
    json: z
      .array(
        z.strictObject({
          ...{ file: z.string(), verdict: z.literal('reply'), recipient: z.email().nullable(), status: z.string().nullable() },
          ...{ until: z.string().nullable(), reasons: z.array(z.string()) },
        }),
      )
      .length(1),
    human: /reply\.eml\d+ +reply/,
  },
  'outbox list': {
    args: async (world) => ['--uncertain', ...(await none(unknownMail(world)))],
    json: pageOf(mail),
    human: /^ID +STATE +RECIPIENT/,
  },
  'outbox resolve': {
    args: async (world) => [await unknownMail(world), '--sent'],
    json: z.strictObject({ id, decision: z.literal('sent') }),
    human: /counts as sent/,
  },
  'rotation create': {
    args: async (world) => [await draft(world), '--accounts', String(await insertAccount(world.app))],
    json: rotation,
    human: /^Rotation group \d+ sends from 2 accounts\.$/m,
  },
  'rotation list': {
    args: async (world) => none(rotated(world)),
    json: pageOf(z.strictObject(rotationRow)),
    human: /^ID +NAME/,
  },
  'rotation show': {
    args: async (world) => [await rotated(world)],
    json: rotation,
    human: /rotation group \d+\).*Accounts.*Sends.*ACCOUNT/s,
  },
  'trash list': {
    args: async (world) => ['--type', 'lists', ...(await none(deletedList(world)))],
    json: pageOf(
      z.strictObject({ type: z.literal('lists'), id, name: z.string(), workspace_id: id, workspace_name: z.string(), deleted_at: at }),
    ),
    human: /^TYPE +ID +NAME/,
  },
  'trash restore': {
    args: async (world) => ['lists', await deletedList(world)],
    json: z.strictObject({ type: z.literal('lists'), id, name: z.string(), workspace_id: id }),
    human: /^Restored list \d+ "Leads"\.$/m,
  },
};
