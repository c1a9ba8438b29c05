export { CAMPAIGN_OPTIONS, type CampaignOptions } from './campaign-options.ts';
