/** Changes to campaigns with their options and accounts. Loaded on the first change. */
export { changeCampaign, createSpread } from '../../campaigns/index.ts';
