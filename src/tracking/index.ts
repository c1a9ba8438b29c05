export { decorateEmail, linkOf } from './decorate.ts';
export { countHits, wasFetched } from './hit-counts.ts';
export { HitLog } from './hits.ts';
export { pruneHits } from './prune-hits.ts';
export { linkPath, readLink } from './token.ts';
export { maskedEmail, unsubscribe } from './unsubscribe.ts';
