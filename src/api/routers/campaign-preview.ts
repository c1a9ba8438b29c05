/** Rendering an email. Loaded on the first preview: the other procedures of its resource don't need this code. */
export { previewCampaign } from '../../campaigns/index.ts';
