import { Flags } from '@oclif/core';
import { findUserByEmail, findWorkspace, type HistoryEntry, type HistoryFilter, listHistory } from '../src/access/index.ts';
import type { App } from '../src/app.ts';
import { instantFlag, OutreachCommand } from '../src/cli/command.ts';
import { table } from '../src/cli/table.ts';
import { invalid } from '../src/core/errors.ts';

export default class History extends OutreachCommand {
  static override description = 'Show the audit log, newest first\n\nLists who changed what, when, and from which IP address.';
  static override examples = [
    '<%= config.bin %> history',
    '<%= config.bin %> history --user ada@example.com --since 2026-01-31',
    '<%= config.bin %> history --resource campaigns/7 --json',
  ];
  static override flags = {
    limit: Flags.integer({ description: 'maximum number of entries', default: 50, min: 1, max: 10_000 }),
    resource: Flags.string({ description: 'only changes to this resource, for example campaigns/7', helpValue: 'TYPE/ID' }),
    since: Flags.string({ description: 'only changes at or after this date or timestamp', helpValue: 'T' }),
    user: Flags.string({ description: 'only changes by this user', helpValue: 'EMAIL' }),
    workspace: Flags.string({ description: 'id or name of a workspace (default: all workspaces)', helpValue: 'W' }),
  };

  async run() {
    const { flags } = await this.parse(History);
    const entries = await this.withApp(flags, async (app) => listHistory(app.db, await this.filter(app, flags)));
    const rows = entries.map((entry) => ({ ...entry, who: who(entry), what: what(entry) }));
    this.log(table(rows, ['at', 'who', 'action', 'what', 'ip', 'changes']));
    return { data: entries };
  }

  private async filter(app: App, flags: HistoryFlags): Promise<HistoryFilter> {
    const filter: HistoryFilter = { limit: flags.limit };
    if (flags.resource !== undefined) filter.resource = resourceOption(flags.resource);
    if (flags.since !== undefined) filter.since = instantFlag(flags.since, 'since');
    if (flags.user !== undefined) filter.userId = (await findUserByEmail(app.db, flags.user)).id;
    if (flags.workspace !== undefined) filter.workspaceId = (await findWorkspace(app.db, flags.workspace)).id;
    return filter;
  }
}

interface HistoryFlags {
  limit: number;
  resource?: string | undefined;
  since?: string | undefined;
  user?: string | undefined;
  workspace?: string | undefined;
}

function resourceOption(text: string): { type: string; id: number } {
  const [, type, id] = /^([a-z][a-z_-]*)\/([1-9]\d{0,14})$/i.exec(text) ?? [];
  if (type === undefined || id === undefined) throw invalid('--resource: must be TYPE/ID, for example campaigns/7');
  return { type, id: Number(id) };
}

const who = ({ email, actor }: HistoryEntry) => (email === null ? actor : actor === 'user' ? email : `${email} (${actor})`);

const what = ({ resource_type: type, resource_id: id }: HistoryEntry) => (id === null ? type : `${type}/${id}`);
