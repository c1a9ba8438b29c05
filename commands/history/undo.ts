import { Args } from '@oclif/core';
import { listedId } from '../../src/cli/argument.ts';
import { changeDiff } from '../../src/cli/change-diff.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';

export default class HistoryUndo extends ClientCommand {
  static override description = `Undo a change of a campaign, a step, a contact or an account

Its fields get the values that they had before. It is refused if they were changed again, or if an email was sent with them since; the refusal \
says which. An undo is a change of its own, and can be undone too.`;
  static override examples = ['<%= config.bin %> history undo 4711'];
  static override args = { entry: Args.string({ required: true, description: 'id of the entry' }) };

  async run() {
    const { args, flags } = await this.parse(HistoryUndo);
    const api = await this.client(flags);
    const entry = await api.history.undo.mutate({ id: listedId(args.entry, 'an entry', 'history') });
    const back = Object.fromEntries(
      Object.entries(entry.changes).map(([field, value]) => [
        field,
        Array.isArray(value) && value.length === 2 ? value.toReversed() : value,
      ]),
    );
    this.log(changeDiff(back));
    this.logLine(`Undone: ${entry.action} of ${entry.resource_type}/${entry.resource_id}.`);
    return entry;
  }
}
