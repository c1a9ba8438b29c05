/** Changes to campaigns. Loaded on the first change: listing campaigns needs only a third of this code. */
export {
  activateCampaign,
  archiveCampaign,
  changeCampaign,
  copyAsDraft,
  createCampaign,
  deleteCampaign,
  pauseCampaign,
  unarchiveCampaign,
} from '../../campaigns/index.ts';
