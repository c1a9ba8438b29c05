import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactFlags, contactFrom, valuesFrom } from '../../src/cli/client/contact-arguments.ts';
import { idOf } from '../../src/cli/client/names.ts';

export default class ContactCreate extends ClientCommand {
  static override description = 'Create a contact';
  static override examples = [
    '<%= config.bin %> contact create ada@example.org --name "Ada Lovelace" --company "Analytical Engines"',
    '<%= config.bin %> contact create ada@example.org --field city=London --list "Spring fair"',
  ];
  static override args = { email: Args.string({ required: true, description: 'email address' }) };
  static override flags = {
    ...contactFlags,
    list: Flags.string({
      description: 'id or name of a list to add the contact to; may be repeated',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'L',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(ContactCreate);
    const values = valuesFrom(flags.field);
    const api = await this.client(flags);
    const listIds: number[] = [];
    for (const list of flags.list ?? []) listIds.push(await idOf(api, 'list', list));
    const contact = await api.contacts.create.mutate({
      ...{ email: args.email, ...contactFrom(flags), custom_fields: values, list_ids: listIds },
    });
    this.logLine(`Contact ${contact.id} ${contact.email} was created.`);
    this.next(`campaign enrol CAMPAIGN --contact ${contact.email}`);
    return contact;
  }
}
