import { type Db, MongoClient } from 'mongodb';
import { SECOND } from '../../core/clock.ts';
import { invalid, messageOf } from '../../core/errors.ts';

export interface MongoStore {
  client: MongoClient;
  /** The database that the URL names, by default `outreach`. */
  database: Db;
  /** Its servers, `HOST:PORT,…`, without user and password. */
  label: string;
}

/** Matches the path of a URL whose authority may be a list of servers. `URL` can't parse those. */
const DATABASE = /^[^:]+:\/\/[^/?]+\/([^?]+)/;

/**
 * Opens a client for the server, or the replica set, that a URL names:
 * `mongodb://USER:PASSWORD@ONE:27017,TWO:27017/DATABASE?replicaSet=NAME`. It connects when it is first used. Throws `invalid_request` for a
 * URL that MongoDB's driver refuses.
 */
export function openMongoStore(url: string, appName: string): MongoStore {
  let client: MongoClient;
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: 5 * SECOND, socketTimeoutMS: 10 * SECOND, appName });
  } catch (error) {
    throw invalid(`setting MONGODB_URL: ${messageOf(error)}`);
  }
  const { hosts, srvHost } = client.options;
  const name = DATABASE.exec(url)?.[1];
  return { client, database: client.db(name === undefined ? 'outreach' : decodeURIComponent(name)), label: srvHost ?? hosts.join(',') };
}
