import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactArgument } from '../../src/cli/client/contact-arguments.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { confirm, yesFlag } from '../../src/cli/confirm.ts';

export default class ContactMerge extends ClientCommand {
  static override description = `Merge two contacts of one mailbox

The first contact remains. It gets the lists, campaigns, emails, replies and events of the second, and the fields that it lacks; the second is \
deleted. In a campaign that has both, the first continues only if the second has not ended and was not sent more. Merging cannot be undone.`;
  static override examples = [
    '<%= config.bin %> contact merge ann@example.org ann+news@example.org',
    '<%= config.bin %> contact merge 7 8 --yes',
  ];
  static override args = { contact: contactArgument, other: contactArgument };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(ContactMerge);
    const api = await this.client(flags);
    const contact = await api.contacts.get.query({ id: await contactIdOf(api, args.contact) });
    const other = await api.contacts.get.query({ id: await contactIdOf(api, args.other) });
    const question = `Merge contact ${other.id} ${other.email} into contact ${contact.id} ${contact.email}? This cannot be undone.`;
    await confirm(flags, question, 'nothing was merged');
    const merged = await api.contacts.merge.mutate({ id: contact.id, contact_id: other.id });
    this.tell(`Contact ${other.id} ${other.email} was merged into contact ${contact.id} ${contact.email}.`);
    return merged;
  }
}
