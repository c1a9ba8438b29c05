import { z } from 'zod';
import { SCOPES } from '../../../src/cli/client/users.ts';
import { at, type CommandCase, id, pageOf } from './case.ts';
import { address, fresh, invitee, inWorkspace, key, person } from './world.ts';

const role = z.enum(['admin', 'manager', 'view_only']);
const user = z.strictObject({
  id,
  name: z.string(),
  email: z.email(),
  role,
  disabled: z.boolean(),
  pending_invite: z.boolean(),
  created_at: at,
});
const invited = user.extend({ invite_link: z.url().nullable() });
const workspace = z.strictObject({
  id,
  name: z.string(),
  is_default: z.boolean(),
  role,
  timezone: z.string().nullable(),
  positive_labels: z.array(z.string()),
  created_at: at,
  updated_at: at,
});
const archived = z.strictObject({ id, name: z.string(), is_archived: z.boolean() });

/** Commands about users, workspaces and the audit log. */
export const accessCases: Record<string, CommandCase> = {
  history: {
    args: () => ['--all'],
    json: pageOf(
      z.strictObject({
        ...{ id, at, workspace_id: id.nullable(), actor: z.enum(['user', 'cli', 'system', 'recipient']), user_id: id.nullable() },
        ...{ email: z.email().nullable(), api_key_id: id.nullable(), ip: z.string().nullable(), action: z.string() },
        ...{ resource_type: z.string(), resource_id: id.nullable(), changes: z.record(z.string(), z.unknown()).nullable() },
      }),
    ),
    human: /^ID +TIME \(UTC\) +WHO +ACTION/,
  },
  'key create': {
    args: () => [fresh('key '), '--user', 'admin@example.com'],
    json: z.strictObject({ id, name: z.string(), user_id: id, workspace_id: id, key: z.string().regex(/^ork_\w{40}$/) }),
    human: /^ {2}ork_\w{40}$/m,
  },
  'key list': {
    args: () => [],
    json: pageOf(
      z.strictObject({
        ...{ id, name: z.string(), prefix: z.string().max(8), user_id: id, email: z.email(), workspace_id: id, workspace_name: z.string() },
        scopes: z.array(z.enum(SCOPES)).min(1),
        ...{ created_at: at, last_used_at: at.nullable(), expires_at: at.nullable(), revoked_at: at.nullable() },
      }),
    ),
    human: /^ID +NAME +PREFIX/,
  },
  'key revoke': {
    args: async (world) => [await key(world)],
    json: z.strictObject({ id, revoked: z.literal(true) }),
    human: /^Key \d+ was revoked\.$/m,
  },
  'user create': {
    args: () => [address('new'), '--name', 'N', '--role', 'manager'],
    json: invited,
    human: /^Invitation link, valid for 14 days and shown only once: http/m,
  },
  'user disable': { args: async (world) => [await person(world)], json: user.extend({ disabled: z.literal(true) }), human: /disabled/ },
  'user enable': {
    args: async (world) => [await person(world, true)],
    json: user.extend({ disabled: z.literal(false) }),
    human: /enabled/,
  },
  'user invite': {
    args: async (world) => [await invitee(world)],
    json: z.looseObject({ invite_link: z.url() }),
    human: /http:\/\/\S+\/invite\/\S+/,
  },
  'user list': { args: () => [], json: pageOf(user), human: /^ID +NAME +EMAIL/ },
  'user remove': {
    args: async (world) => [await person(world)],
    json: z.strictObject({ id, email: z.email(), workspace_id: id, revoked_keys: z.array(id), removed_shares: z.number() }),
    human: /was removed from workspace 1; \d+ API keys? revoked\.$/m,
  },
  'user role': {
    args: async (world) => [await person(world), 'admin'],
    json: user.extend({ role: z.literal('admin') }),
    human: /is now admin/,
  },
  'user set': {
    args: async (world) => [await person(world), '--daily-summary', 'off'],
    json: z.strictObject({ user_id: id, at: z.null(), timezone: z.null(), next_at: z.null(), email: z.email() }),
    human: /gets no daily summary\.$/m,
  },
  'workspace archive': { args: async (world) => [await inWorkspace(world)], json: archived, human: /archived/ },
  'workspace create': { args: () => [fresh('Workspace ')], json: workspace, human: /^Workspace \d+ "Workspace \d+" was created\.$/m },
  whoami: {
    args: () => [],
    json: z.strictObject({
      ...{ url: z.null(), user_id: z.literal(0), name: z.string(), email: z.literal(''), role: z.literal('admin') },
      ...{ api_key_id: z.literal(0), workspace_id: z.literal(1), workspace: z.literal('Default') },
    }),
    human: /^The operator of this machine, admin in workspace "Default"\.$/m,
  },
  'workspace list': {
    args: () => [],
    json: pageOf(
      z.strictObject({
        ...{ id, name: z.string(), is_default: z.boolean(), timezone: z.string().nullable(), is_archived: z.boolean() },
        ...{ members: z.int(), created_at: at },
      }),
    ),
    human: /^ID +NAME/,
  },
  'workspace members': { args: () => ['Default'], json: pageOf(user), human: /admin@example\.com/ },
  'workspace rename': { args: async (world) => [await inWorkspace(world), fresh('Renamed ')], json: workspace, human: /Renamed \d+/ },
  'workspace set': {
    args: async (world) => [await inWorkspace(world), '--timezone', 'Europe/Berlin'],
    json: workspace.extend({ timezone: z.literal('Europe/Berlin'), postal_address: z.null(), footer_html: z.null() }),
    human: /^Time zone +Europe\/Berlin$/m,
  },
  'workspace show': {
    args: () => [],
    json: workspace.extend({ postal_address: z.string().nullable(), footer_html: z.string().nullable() }),
    human: /^Default \(workspace 1\), the default workspace\n\nTime zone +UTC[\s\S]*^Positive +replies labelled interested, meeting$/m,
  },
  'workspace unarchive': { args: async (world) => [await inWorkspace(world, true)], json: archived, human: /was unarchived\.$/m },
};
