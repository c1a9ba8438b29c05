import CampaignActivate from './activate.ts';

export default class CampaignResume extends CampaignActivate {
  static override description = `Continue a paused campaign

A planned start that is still to come stays; campaign activate starts at once.`;
  static override examples = ['<%= config.bin %> campaign resume "Spring fair"'];

  protected override readonly keepsPlan = true;
}
