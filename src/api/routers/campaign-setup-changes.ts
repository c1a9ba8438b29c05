/** Changes of campaigns with all that belongs to them, loaded with the first. */
export { changeCampaign, createSpread } from '../../campaigns/index.ts';
