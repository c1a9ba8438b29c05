import { Flags } from '@oclif/core';
import { hasAny } from '../../src/cli/campaign-flags.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactArgument, contactFlags, contactFrom, valuesFrom } from '../../src/cli/client/contact-arguments.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { changedText } from '../../src/cli/describe/changed.ts';
import { invalid } from '../../src/core/errors.ts';
import { namedAddress } from '../../src/terminal/named-address.ts';

export default class ContactSet extends ClientCommand {
  static override description = `Change a contact

Custom fields that are not named keep their values; an empty value removes one. Emails that are sent from now on use the new values.`;
  static override examples = [
    '<%= config.bin %> contact set ada@example.org --company "Analytical Engines" --field city=London',
    '<%= config.bin %> contact set 42 --email ada@example.com --field city=',
  ];
  static override args = { contact: contactArgument };
  static override flags = { ...contactFlags, email: Flags.string({ description: 'new email address', helpValue: 'EMAIL' }) };

  async run() {
    const { args, flags } = await this.parse(ContactSet);
    const patch = { ...contactFrom(flags), email: flags.email };
    const values = valuesFrom(flags.field);
    if (!hasAny(patch) && values === undefined) throw invalid('nothing to change; see: outreach contact set --help');
    const api = await this.client(flags);
    const id = await contactIdOf(api, args.contact);
    const contact = await api.contacts.update.mutate({ id, ...patch, custom_fields: values, merge: true });
    this.draw(changedText(`${namedAddress(contact.name, contact.email)} (contact ${id}) was changed.`, { ...patch, ...values }));
    return contact;
  }
}
