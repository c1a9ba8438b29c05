/** Planning ahead. Loaded on the first call that needs it: the other procedures of its resource need only a tenth of this code. */
export { explainCampaign, explainRotation, forecastCampaign, forecastRotation } from '../../sending/index.ts';
