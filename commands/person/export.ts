import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { writeWhole } from '../../src/files/output-file.ts';

export default class PersonExport extends ClientCommand {
  static override description = `Export everything stored about a person, as JSON

Covers all workspaces. Answers a request for access or data portability (GDPR Art. 15 and 20).`;
  static override examples = [
    '<%= config.bin %> person export ada@example.com ada.json',
    '<%= config.bin %> person export ada@example.com --json',
  ];
  static override args = {
    email: Args.string({ required: true, description: 'email address of the person' }),
    file: Args.string({ description: 'file to write, readable by its owner only (default: stdout)' }),
  };

  async run() {
    const { args, flags } = await this.parse(PersonExport);
    const api = await this.client(flags);
    const document = await api.person.export.query({ email: args.email });
    if (args.file === undefined) {
      if (!this.jsonEnabled()) this.logJson(document);
      return document;
    }
    const text = `${JSON.stringify(document, null, 2)}\n`;
    await writeWhole(
      args.file,
      (async function* () {
        yield text;
      })(),
    );
    const rows = Object.fromEntries(Object.entries(document.data).map(([table, stored]) => [table, stored.length]));
    this.log(`Wrote everything stored about ${document.email} to ${args.file}.`);
    return { email: document.email, file: args.file, rows };
  }
}
