/** Changes of campaigns, loaded with the first: lists need a third of it. */
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
