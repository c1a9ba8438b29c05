/** Rendering an email, loaded with the first preview: the other procedures of its resource need none of it. */
export { previewCampaign } from '../../campaigns/index.ts';
