import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchInstallation, benchInstallation } from './installation.ts';
import { seedWorld, type World } from './world.ts';

export interface WorldInstallation extends BenchInstallation {
  world: World;
}

const CONTACTS = Number(process.env.BENCH_CONTACTS ?? 1_000_000);
const EVENTS = Number(process.env.BENCH_EVENTS ?? CONTACTS * 10);

let opened: Promise<WorldInstallation> | undefined;

/**
 * The seeded installation that all measurements of the API share, created once per run, which takes minutes. With BENCH_WORLD it is
 * created in that directory and reused by the next run.
 */
export const openWorld = (): Promise<WorldInstallation> => {
  opened ??= makeWorld();
  return opened;
};

/** Stops the installation, if any measurement has used it. */
export async function closeWorld(): Promise<void> {
  await (await opened)?.remove();
}

async function makeWorld(): Promise<WorldInstallation> {
  const folder = process.env.BENCH_WORLD;
  const installation = await benchInstallation(folder === undefined ? {} : { dataDir: folder });
  const file = join(installation.dataDir, 'world.json');
  if (existsSync(file)) return { ...installation, ...(JSON.parse(readFileSync(file, 'utf8')) as { world: World; adminKey: string }) };
  console.error(`seeding ${CONTACTS} contacts and ${EVENTS} events …`);
  const begin = performance.now();
  const world = await seedWorld(installation.app, CONTACTS, EVENTS);
  console.error(`seeded in ${Math.round((performance.now() - begin) / 1_000)} s`);
  writeFileSync(file, JSON.stringify({ world, adminKey: installation.adminKey }));
  return { ...installation, world };
}

/** The scale of the measurements, for example `1M contacts, 10M events`. */
export const scaleOf = ({ big }: World): string => `${short(big.contacts)} contacts, ${short(big.events)} events`;

const short = (count: number) => Intl.NumberFormat('en', { notation: 'compact' }).format(count);
