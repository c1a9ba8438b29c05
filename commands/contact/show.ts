import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactArgument } from '../../src/cli/client/contact-arguments.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { record } from '../../src/cli/table.ts';

export default class ContactShow extends ClientCommand {
  static override description = 'Show a contact';
  static override examples = ['<%= config.bin %> contact show ada@example.org', '<%= config.bin %> contact show 42 --json'];
  static override args = { contact: contactArgument };

  async run() {
    const { args, flags } = await this.parse(ContactShow);
    const api = await this.client(flags);
    const contact = await api.contacts.get.query({ id: await contactIdOf(api, args.contact) });
    this.log(record(contact));
    return contact;
  }
}
