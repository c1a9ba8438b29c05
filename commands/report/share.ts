import { Flags } from '@oclif/core';
import { campaignArgument } from '../../src/cli/client/campaign-argument.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { campaignFrame } from '../../src/cli/client/time-frame.ts';
import { instantText, TIMES } from '../../src/cli/instant.ts';
import { isLoopback } from '../../src/mail/mail-url.ts';
import { localText } from '../../src/terminal/local-text.ts';

export default class ReportShare extends ClientCommand {
  static override description = `Make a link that shows the live report on a campaign, to whoever has it

The page needs no key, changes nothing and loads nothing from others. It has no names of contacts, nor the domains of their addresses, unless \
--names adds them. The link is shown only once; "report links" lists the links, and "report revoke" ends one.`;
  static override examples = [
    '<%= config.bin %> report share "Spring fair" --expires 30d',
    '<%= config.bin %> report share 7 --names --sender "Miller & Co"',
  ];
  static override args = { campaign: campaignArgument };
  static override flags = {
    expires: Flags.string({ description: `time from which on it shows nothing, ${TIMES} (default: never)`, helpValue: 'TIME' }),
    names: Flags.boolean({ description: 'also show the names of those who answered, and the domains of the recipients' }),
    sender: Flags.string({ description: 'who made the report, as the page says (default: the workspace)', helpValue: 'NAME' }),
  };

  async run() {
    const { args, flags } = await this.parse(ReportShare);
    const api = await this.client(flags);
    const id = await idOf(api, 'campaign', args.campaign);
    const frame = flags.expires === undefined ? undefined : await campaignFrame(api, id, 'future');
    const expires_at = frame === undefined ? null : instantText(flags.expires as string, '--expires', frame);
    const link = await api.reportLinks.create.mutate({ id, expires_at, shows_names: flags.names, sender: flags.sender ?? null });
    this.logLine(link.url);
    const until = link.expires_at === null || frame === undefined ? '' : ` until ${localText(link.expires_at, frame.timezone)}`;
    this.tell(
      `Anyone with this link sees the report on "${link.campaign_name}"${until}. To end that, run: outreach report revoke ${link.id}`,
    );
    if (isLoopback(new URL(link.url).hostname.replace(/^\[|\]$/g, '')))
      this.tell('Warning: only this machine can open it; before you send a link to anybody, set the public address (OUTREACH_BASE_URL)');
    return link;
  }
}
