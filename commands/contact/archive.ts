import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactArgument } from '../../src/cli/client/contact-arguments.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';

export default class ContactArchive extends ClientCommand {
  static override description =
    'Archive a contact and stop emails to them\n\nStops the contact in every campaign; unarchiving does not resume it.';
  static override examples = ['<%= config.bin %> contact archive ada@example.org', '<%= config.bin %> contact archive 42'];
  static override args = { contact: contactArgument };

  async run() {
    const { args, flags } = await this.parse(ContactArchive);
    const api = await this.client(flags);
    const contact = await api.contacts.archive.mutate({ id: await contactIdOf(api, args.contact) });
    this.logLine(`Contact ${contact.id} ${contact.email} is archived.`);
    return contact;
  }
}
