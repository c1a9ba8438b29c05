import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactArgument } from '../../src/cli/client/contact-arguments.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';

export default class ContactUnarchive extends ClientCommand {
  static override description = 'Unarchive a contact\n\nCampaigns that were stopped by archiving are not resumed.';
  static override examples = ['<%= config.bin %> contact unarchive ada@example.org', '<%= config.bin %> contact unarchive 42'];
  static override args = { contact: contactArgument };

  async run() {
    const { args, flags } = await this.parse(ContactUnarchive);
    const api = await this.client(flags);
    const contact = await api.contacts.unarchive.mutate({ id: await contactIdOf(api, args.contact) });
    this.logLine(`Contact ${contact.id} ${contact.email} was unarchived.`);
    return contact;
  }
}
