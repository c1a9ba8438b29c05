import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

const TYPES = ['text', 'number', 'email', 'phone', 'url', 'date', 'datetime', 'boolean'] as const;

export default class FieldCreate extends ClientCommand {
  static override description = 'Create a custom field of contacts';
  static override examples = [
    '<%= config.bin %> field create "Favourite colour"',
    '<%= config.bin %> field create Employees --type number',
  ];
  static override args = { name: Args.string({ required: true, description: 'name of the field' }) };
  static override flags = {
    type: Flags.option({ options: TYPES, description: 'type of its values', default: 'text' as const })(),
    yes: yesFlag,
  };

  async run() {
    const { args, flags } = await this.parse(FieldCreate);
    const api = await this.client(flags);
    const name = args.name.trim().toLowerCase();
    const same = (await api.customFields.list.query({})).data.find((field) => field.name.toLowerCase() === name);
    if (same !== undefined)
      await confirm(
        flags,
        `A field named "${same.name}" exists; its placeholder is {{${same.key}}}. Create another?`,
        'no field was created',
      );
    const field = await api.customFields.create.mutate({ name: args.name, field_type: flags.type });
    this.logLine(`Field ${field.id} "${field.name}" was created; its placeholder is {{${field.key}}}.`);
    return field;
  }
}
