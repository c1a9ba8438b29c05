import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/core/config.ts';
import { type MongoStore, openMongoStore } from '../../src/jobs/mongo/index.ts';

const stores: MongoStore[] = [];
afterEach(() => Promise.all(stores.splice(0).map(({ client }) => client.close())));

const REPLICA_SET = 'mongodb://me:p%40ss@one:27017,two:27018,three/jobs?replicaSet=rs0&authSource=admin';

function open(url: string): MongoStore {
  const { mongodbUrl = '' } = loadConfig({ dataDir: '/nowhere' }, { MONGODB_URL: url });
  const store = openMongoStore(mongodbUrl, 'outreach test');
  stores.push(store);
  return store;
}

describe('MONGODB_URL', () => {
  it('names the servers of a replica set, and all of it is passed on', () => {
    const { client, database, label } = open(REPLICA_SET);
    expect(client.options).toMatchObject({ replicaSet: 'rs0', credentials: { username: 'me', password: 'p@ss', source: 'admin' } });
    expect(client.options.hosts.map(String)).toEqual(['one:27017', 'two:27018', 'three:27017']);
    expect(database.databaseName).toBe('jobs');
    expect(label).toBe('one:27017,two:27018,three:27017');
  });

  it.each([
    ['mongodb://localhost', 'outreach'],
    ['mongodb://localhost/', 'outreach'],
    ['mongodb://localhost/?retryWrites=false', 'outreach'],
    ['mongodb+srv://cluster.example.com/mail%20jobs', 'mail jobs'],
  ])('%s: the jobs are in the database %s', (url, name) => {
    expect(open(url).database.databaseName).toBe(name);
  });

  it.each([
    'mongodb://me:secret@one:port/x',
    'mongodb://one:27017,two:notaport',
    'mongodb://one/x?replicaset=rs0&bogus=1',
  ])('%s: is refused in a line that names the setting and no password', (url) => {
    expect(() => open(url)).toThrow(/^setting MONGODB_URL: (?!.*secret)/);
  });

  it('that is of another kind is refused with the settings', () => {
    expect(() => open('http://localhost')).toThrow('MONGODB_URL: must be a URL of the form mongodb://… or mongodb+srv://…');
  });
});
