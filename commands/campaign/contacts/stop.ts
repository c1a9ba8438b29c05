import { type Enrolment, EnrolmentCommand, enrolmentArguments, enrolmentFlags } from '../../../src/cli/client/enrolment-command.ts';

export default class CampaignContactsStop extends EnrolmentCommand {
  static override description = 'Stop sending to contacts of a campaign';
  static override examples = [
    '<%= config.bin %> campaign contacts stop 7 ada@example.org',
    '<%= config.bin %> campaign contacts stop 7 42 43',
    '<%= config.bin %> campaign contacts stop 7 --search "company:acme"',
  ];
  static override args = enrolmentArguments;
  static override flags = enrolmentFlags;

  async run() {
    const { args, flags } = await this.parse(CampaignContactsStop);
    if (flags.search !== undefined && args.contact === undefined)
      return this.changeFound(flags, args.campaign, flags.search, 'stopped', (api, found) => api.enrolments.stopMany.mutate(found));
    // The API leaves an enrolment unchanged if it has ended already.
    const line = ({ email, status }: Enrolment) =>
      status === 'stopped' ? `${email} is stopped.` : `${email} had ended already: ${status}.`;
    return this.changeEach(flags, args, line, (api, one) => api.enrolments.stop.mutate(one));
  }
}
