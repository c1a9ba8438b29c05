import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { describeWorkspace } from '../../src/cli/describe/workspace.ts';
import { invalid } from '../../src/core/errors.ts';

const noneAsNull = (text: string | undefined) => (text === 'none' ? null : text);

export default class WorkspaceSet extends ClientCommand {
  static override description = `Change the settings of a workspace

The time zone is the default of new campaigns; those that exist keep theirs. The footer is added to emails whose body has no unsubscribe link, in campaigns that have not turned it off.`;
  static override examples = [
    '<%= config.bin %> workspace set Acme --timezone Europe/Berlin',
    '<%= config.bin %> workspace set 2 --name "Acme Europe"',
    '<%= config.bin %> workspace set Acme --postal-address "Acme GmbH, Hauptstr. 1, 12345 Berlin"',
    `<%= config.bin %> workspace set Acme --footer '<p>{{postal_address}} <a href="{{unsubscribe_url}}">Unsubscribe</a></p>'`,
  ];
  static override args = {
    workspace: Args.string({ description: 'id or name of the workspace (default: the one that commands work in)' }),
  };
  static override flags = {
    name: Flags.string({ description: 'new name, unique among workspaces that are not archived', helpValue: 'N' }),
    timezone: Flags.string({ description: 'default time zone of new campaigns, such as Europe/Berlin', helpValue: 'Z' }),
    'postal-address': Flags.string({ description: 'value of {{postal_address}} in emails, or none', helpValue: 'A' }),
    footer: Flags.string({ description: 'HTML with {{unsubscribe_url}}, or none', helpValue: 'HTML' }),
    'positive-labels': Flags.string({
      description: 'labels of replies that reports count as positive, separated by commas',
      helpValue: 'L',
    }),
  };

  async run() {
    const { args, flags } = await this.parse(WorkspaceSet);
    const settings = {
      name: flags.name,
      timezone: flags.timezone,
      postal_address: noneAsNull(flags['postal-address']),
      footer_html: noneAsNull(flags.footer),
      positive_labels: flags['positive-labels']?.split(',').map((label) => label.trim()),
    };
    if (Object.values(settings).every((value) => value === undefined))
      throw invalid('nothing to change; see: outreach workspace set --help');
    const api = await this.clientIn(flags, args.workspace);
    const workspace = await api.access.setWorkspace.mutate(settings);
    this.draw(describeWorkspace(workspace));
    return workspace;
  }
}
