import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/core/config.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the container', () => {
  const lines = read('docs/docker/Dockerfile').split('\n');
  const ignored = read('.dockerignore').trim().split('\n');

  it('copies only what is there and not kept from it', () => {
    const sources = lines.filter((line) => /^COPY (?!--from)/.test(line)).flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect(existsSync(new URL(`../../${source}`, import.meta.url)), source).toBe(true);
      expect(ignored).not.toContain(source);
    }
  });

  it('brings every file that the build makes and the program needs', () => {
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM'))).join('\n');
    for (const file of files.filter((name) => !/^!|^docs$|\.md$/.test(name)))
      expect(last).toMatch(new RegExp(`^COPY .*\\b${file}\\b`, 'm'));
  });

  it('runs as nobody special, is asked for its health, and starts the program', () => {
    expect(lines).toContain('USER 1000:1000');
    expect(lines).toContain('  CMD ["node", "/app/bin/run.js", "healthcheck"]');
    expect(lines).toContain('ENTRYPOINT ["node", "/app/bin/run.js"]');
  });
});

// "The only compose file needs MongoDB; who wants `docker compose up` gets two databases."
describe('compose for one server', () => {
  const compose = parse(read('docs/docker/single.yaml'));

  it('has the daemon and one PostgreSQL, keeps the secret in a volume, and drains as the other does', () => {
    expect(Object.keys(compose.services)).toEqual(['outreach', 'postgres']);
    const { outreach, postgres } = compose.services;
    for (const name of Object.keys(outreach.environment).filter((each) => each !== 'OUTREACH_BASE_URL'))
      expect(read('docs/settings.md')).toContain(`\`${name}\``);
    expect(outreach.environment.DATABASE_URL).toMatch(/:\$\{\w+:\?.*\}@/);
    expect(outreach.volumes).toEqual(['data:/data']);
    expect(outreach.stop_grace_period).toBe('40s');
    expect(postgres.healthcheck.test[0]).toBe('CMD');
    for (const { logging } of [outreach, postgres]) expect(logging.options['max-size']).toBe('10m');
  });
});

describe('compose', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of others' making
  const compose: any = parse(read('docs/docker/compose.yaml'));
  const filled = (text: unknown) => String(text).replaceAll(/\$\{[^}]*\}/g, 'dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQ');

  it('gives the daemon settings that exist and are well formed', () => {
    const { OUTREACH_BASE_URL: _, ...environment } = compose.services.outreach.environment;
    const known = read('docs/settings.md');
    for (const name of Object.keys(compose.services.outreach.environment)) expect(known).toContain(`\`${name}\``);
    const config = loadConfig(
      { dataDir: '/nowhere' },
      Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)])),
    );
    expect(config).toMatchObject({ metricsPort: 9025, mongodbUrl: expect.stringContaining('@mongo:27017/outreach') });
  });

  it('lets nobody into a database without a password, which it takes from outside', () => {
    const { outreach, postgres, mongo } = compose.services;
    for (const url of [outreach.environment.DATABASE_URL, outreach.environment.MONGODB_URL]) expect(url).toMatch(/:\$\{\w+:\?.*\}@/);
    expect(postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{/);
    expect(mongo.environment.MONGO_INITDB_ROOT_PASSWORD).toMatch(/^\$\{/);
  });

  it('starts nothing before what it needs is well, and waits for a drain', () => {
    const { services } = compose;
    for (const name of Object.keys(services.outreach.depends_on)) expect(services[name].healthcheck.test[0]).toBe('CMD');
    expect(services.outreach.stop_grace_period).toBe('40s');
    expect(services.outreach.cap_drop).toEqual(['ALL']);
  });
});
