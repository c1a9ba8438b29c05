import CampaignActivate from './activate.ts';

export default class CampaignResume extends CampaignActivate {
  static override description = 'Continue a paused campaign\n\nDoes what campaign activate does.';
  static override examples = ['<%= config.bin %> campaign resume "Spring fair"'];
}
