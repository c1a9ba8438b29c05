import { accessCases } from './access.ts';
import { accountsCases } from './accounts.ts';
import { campaignsCases } from './campaigns.ts';
import type { CommandCase } from './case.ts';
import { installationCases } from './installation.ts';
import { maintenanceCases } from './maintenance.ts';
import { webhooksCases } from './webhooks.ts';

/**
 * Every command by name. The test takes the list of commands from oclif, so that a command without a case fails.
 */
export const COMMAND_CASES: Record<string, CommandCase> = {
  ...accessCases,
  ...accountsCases,
  ...campaignsCases,
  ...installationCases,
  ...maintenanceCases,
  ...webhooksCases,
};

/** Commands about campaigns, which a test runs one after the other in its own process. */
const OF_CAMPAIGNS = [
  'campaign activate',
  'campaign archive',
  'campaign contacts',
  'campaign contacts hold',
  'campaign contacts resume',
  'campaign contacts stop',
  'campaign copy',
  'campaign create',
  'campaign delete',
  'campaign enrol',
  'campaign pause',
  'campaign resume',
  'campaign step add',
  'campaign step attach',
  'campaign step delete',
  'campaign step detach',
  'campaign step list',
  'campaign step move',
  'campaign step set',
  'campaign unarchive',
];

/** Commands about contacts and their lists, fields and suppressions. Commands that read or write files have cases. */
const OF_DATA = [
  ...['archive', 'create', 'delete', 'list', 'merge', 'search', 'set', 'show', 'unarchive'].map((verb) => `contact ${verb}`),
  ...['create', 'delete', 'list'].map((verb) => `field ${verb}`),
  ...['add', 'create', 'delete', 'list', 'remove', 'rename'].map((verb) => `list ${verb}`),
  ...['add', 'export', 'import', 'list', 'remove'].map((verb) => `suppression ${verb}`),
  ...['archive', 'create', 'delete', 'list', 'set', 'show', 'unarchive'].map((verb) => `template ${verb}`),
];

/** Commands about rotation groups, besides those with cases. */
const OF_ROTATIONS = ['rotation activate', 'rotation add', 'rotation pause', 'rotation remove', 'rotation set', 'rotation stats'];

const OF_REPLIES = [
  ...[
    'reply answer',
    'reply approve',
    'reply assign',
    'reply confirm-opt-out',
    'reply discard',
    'reply dismiss',
    'reply draft',
    'reply drafts',
    'reply label',
    'reply later',
    'reply list',
    'reply read',
    'reply reclassify',
    'reply revise',
    'reply show',
    'reply unread',
  ],
];

const OF_SHARES = ['share add', 'share give', 'share list', 'share remove'];

/** Commands that other tests run, with the file. */
export const ELSEWHERE: Record<string, string> = {
  ...Object.fromEntries(OF_CAMPAIGNS.map((name) => [name, 'test/cli/client/campaign-commands.db.test.ts'])),
  ...Object.fromEntries(OF_DATA.map((name) => [name, 'test/cli/client/data-commands.db.test.ts'])),
  ...Object.fromEntries(OF_ROTATIONS.map((name) => [name, 'test/cli/client/rotation-commands.db.test.ts'])),
  ...Object.fromEntries(OF_REPLIES.map((name) => [name, 'test/cli/client/reply-commands.db.test.ts'])),
  ...Object.fromEntries(OF_SHARES.map((name) => [name, 'test/access/giving.db.test.ts'])),
  'campaign report': 'test/cli/client/report-commands.db.test.ts',
  report: 'test/cli/client/report-commands.db.test.ts',
  'history show': 'test/maintenance/undo-change.db.test.ts',
  'history undo': 'test/maintenance/undo-change.db.test.ts',
  'report emails': 'test/cli/client/report-commands.db.test.ts',
  'report links': 'test/cli/client/report-commands.db.test.ts',
  'report revoke': 'test/cli/client/report-commands.db.test.ts',
  'report share': 'test/cli/client/report-commands.db.test.ts',
  'rotation report': 'test/cli/client/report-commands.db.test.ts',
  notify: 'test/cli/client/notify.db.test.ts',
  'reply watch': 'test/cli/client/reply-watch.db.test.ts',
  'account import': 'test/cli/client/account-bulk.db.test.ts',
  completion: 'test/cli/completion.e2e.test.ts',
  dashboard: 'test/dashboard',
  demo: 'test/soak/demo.test.ts',
  doctor: 'test/cli/doctor.e2e.test.ts',
  healthcheck: 'test/cli/start.e2e.test.ts',
  login: 'test/cli/client/both-ways.db.test.ts',
  logout: 'test/cli/client/both-ways.db.test.ts',
  mcp: 'test/mcp/mcp.e2e.test.ts',
  restore: 'test/maintenance/backup.e2e.test.ts',
  'secret rotate': 'test/maintenance/rotate-secret.e2e.test.ts',
  start: 'test/e2e/whole-way.e2e.test.ts',
  'workspace use': 'test/cli/client/current-workspace.db.test.ts',
  'webhook listen': 'test/cli/client/webhook-listen.db.test.ts',
};
