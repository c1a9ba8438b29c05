import { Args } from '@oclif/core';
import { listedId } from '../../src/cli/argument.ts';
import { changeDiff } from '../../src/cli/change-diff.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class HistoryShow extends ClientCommand {
  static override description = 'Show a change: the values before and after, and whether it can be undone';
  static override examples = ['<%= config.bin %> history show 4711'];
  static override args = { entry: Args.string({ required: true, description: 'id of the entry' }) };

  async run() {
    const { args, flags } = await this.parse(HistoryShow);
    const api = await this.client(flags);
    const entry = await api.history.get.query({ id: listedId(args.entry, 'an entry', 'history') });
    const what = entry.resource_id === null ? entry.resource_type : `${entry.resource_type}/${entry.resource_id}`;
    this.logLine(`${entry.action} of ${what}, ${entry.at} UTC, by ${entry.email ?? entry.actor}`);
    this.log(`\n${changeDiff(entry.changes)}\n`);
    if (entry.undo_refused === null) this.tell(`To undo it, run: outreach history undo ${entry.id}`);
    else this.tell(`It can't be undone: ${entry.undo_refused}`);
    return entry;
  }
}
