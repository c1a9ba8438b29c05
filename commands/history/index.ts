import { Flags } from '@oclif/core';
import type { Api } from '../../src/cli/client/api.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { timeFrame } from '../../src/cli/client/time-frame.ts';
import { instantText, PAST_TIMES } from '../../src/cli/instant.ts';
import { listFlags, readAfter } from '../../src/cli/list-output.ts';

type Entry = Awaited<ReturnType<Api['history']['list']['query']>>['data'][number];

export default class History extends ClientCommand {
  static override description = `Show the audit log, newest first

Lists who changed what, when, and from which IP address; on this machine in all workspaces, unless --workspace names one.`;
  static override examples = [
    '<%= config.bin %> history',
    '<%= config.bin %> history --user ada@example.com --since 2026-01-31',
    '<%= config.bin %> history --resource campaign/7 --json',
  ];
  static override flags = {
    ...listFlags,
    resource: Flags.string({ description: 'only changes to this resource, for example campaign/7', helpValue: 'TYPE/ID' }),
    since: Flags.string({ description: `only changes since then, ${PAST_TIMES}`, helpValue: 'T' }),
    user: Flags.string({ description: 'only changes by this user', helpValue: 'EMAIL' }),
  };

  async run() {
    const { flags } = await this.parse(History);
    const api = await this.client(flags);
    const since = flags.since === undefined ? undefined : instantText(flags.since, '--since', await timeFrame(api, 'past'));
    const filter = { user: flags.user, resource: flags.resource, since };
    return this.list(
      flags,
      ['id', 'at', 'who', 'action', 'what', 'ip', 'changes'],
      readAfter((page) => api.history.list.query({ ...filter, ...page })),
      (entry) => ({ ...entry, who: who(entry), what: what(entry) }),
    );
  }
}

const who = ({ email, actor }: Entry) => (email === null ? actor : actor === 'user' ? email : `${email} (${actor})`);

const what = ({ resource_type: type, resource_id: id }: Entry) => (id === null ? type : `${type}/${id}`);
