export { announceDaemon, drainOthers } from './announce.ts';
export { type Daemon, deadAmong, listDaemons, refuseDaemons, withPublicUrl } from './list.ts';
