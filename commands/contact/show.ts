import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactArgument } from '../../src/cli/client/contact-arguments.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { personText, readPerson } from '../../src/terminal/person-page.ts';

export default class ContactShow extends ClientCommand {
  static override description = `Show a contact and everything that happened to it

Shows whether it may be emailed, its lists and campaigns, and its emails with the text that was sent, opens, clicks, replies and answers. --json \
prints all of it.`;
  static override examples = ['<%= config.bin %> contact show ada@example.org', '<%= config.bin %> contact show 42 --json'];
  static override args = { contact: contactArgument };
  static override flags = {
    entries: Flags.integer({
      description: 'maximum number of entries of the timeline, newest first',
      default: 50,
      min: 1,
      max: 200,
      helpValue: 'N',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(ContactShow);
    const api = await this.client(flags);
    const person = await readPerson(api, await contactIdOf(api, args.contact), flags.entries);
    this.draw(personText(person));
    const { contact_id: _, ...details } = person.details;
    return { ...person.contact, ...details, timeline: person.timeline.data };
  }
}
