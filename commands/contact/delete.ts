import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactArgument } from '../../src/cli/client/contact-arguments.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

export default class ContactDelete extends ClientCommand {
  static override description = `Delete a contact and stop emails to them

To undo, run: outreach trash restore contacts ID. To erase everything about a person, run: outreach person erase EMAIL`;
  static override examples = ['<%= config.bin %> contact delete ada@example.org', '<%= config.bin %> contact delete 42 --yes'];
  static override args = { contact: contactArgument };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(ContactDelete);
    const api = await this.client(flags);
    const { id, email } = await api.contacts.get.query({ id: await contactIdOf(api, args.contact) });
    await confirm(flags, `Delete contact ${id} ${email}?`, 'nothing was deleted');
    await api.contacts.delete.mutate({ id });
    this.tell(`Contact ${id} was deleted; to undo, run: outreach trash restore contacts ${id}`);
    return { id, deleted: true };
  }
}
