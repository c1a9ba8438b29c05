export { announceDaemon, drainOthers } from './announce.ts';
export { type Daemon, deadAmong, listDaemons, refuseDaemons } from './list.ts';
