/** Planning ahead, loaded with the first question that needs it: the other procedures of its resource need a tenth of it. */
export { explainCampaign, explainRotation, forecastCampaign, forecastRotation } from '../../sending/index.ts';
