export { announce, listens, mayHear } from './announce.ts';
export { accountObject, campaignObject, contactObject } from './objects.ts';
export { CHANGE_TYPES, type ChangeType, HIGH_VOLUME_TYPES } from './types.ts';
