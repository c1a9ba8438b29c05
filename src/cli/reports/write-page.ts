import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { systemClock } from '../../core/clock.ts';
import { invalid } from '../../core/errors.ts';
import { asUnreadable } from '../../files/input-file.ts';
import { requireOther, writeWhole } from '../../files/output-file.ts';
import { type AnyReport, type ReportPage, reportPage } from '../../reports/page/index.ts';
import type { Api } from '../client/api.ts';
import type { RotationLine } from '../client/rotation.ts';
import { type ReportQuery, readReport } from './read-report.ts';

/** The file of a page, and the logo and the sender that it shows. */
export interface PageRequest {
  html: string;
  logo?: string | undefined;
  sender?: string | undefined;
}

/** Reads every report of a campaign, or of its rotation group, and writes them as a page. Throws if the file can't be written. */
export async function writeCampaignPage(
  api: Api,
  { id, group }: { id: number; group: RotationLine | undefined },
  query: Omit<ReportQuery, 'by'>,
  request: PageRequest,
): Promise<void> {
  const read = (by: ReportQuery['by']) => readReport(api, id, group, { by, ...query });
  const [campaign, byDay, ...reports] = await Promise.all([
    ...[api.campaigns.get.query({ id }), read('day'), read('step'), read('variant'), read('account'), read('provider'), read('domain')],
  ] as const);
  const { timezone } = campaign;
  const about = `The campaign is ${group?.status ?? campaign.status}`;
  await write({ name: group?.name ?? campaign.name, about, timezone, byDay, reports }, request);
}

/** Reads the reports on all campaigns, and writes them as a page. Throws if the file can't be written. */
export async function writeWorkspacePage(api: Api, days: { since?: string; until?: string }, request: PageRequest): Promise<void> {
  const read = (by: 'campaign' | 'account' | 'day'): Promise<AnyReport> => api.reports.workspace.query({ by, ...days });
  const [{ name, timezone }, byDay, ...reports] = await Promise.all([
    ...[api.access.workspace.query({}), read('day'), read('campaign'), read('account')],
  ] as const);
  await write({ name, about: 'All campaigns', timezone: timezone ?? 'UTC', byDay, reports }, request);
}

type Content = Pick<ReportPage, 'name' | 'about' | 'timezone' | 'byDay' | 'reports'>;

async function write(content: Content, { html, logo, sender }: PageRequest): Promise<void> {
  const madeAt = `${systemClock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const look = { ...(sender !== undefined && { sender }), ...(logo !== undefined && { logo: imageIn(logo) }) };
  if (logo !== undefined) requireOther('--html', html, logo);
  await writeWhole(html, Readable.from([reportPage({ ...content, ...look, madeAt }).html]));
}

const TYPES: Record<string, string> = { '.png': 'png', '.jpg': 'jpeg', '.jpeg': 'jpeg', '.gif': 'gif', '.webp': 'webp' };

/** An image file as a `data:` URL. Throws `invalid_request`. */
function imageIn(path: string): string {
  const type = TYPES[extname(path).toLowerCase()];
  if (type === undefined) throw invalid(`--logo: ${path} must end in ${Object.keys(TYPES).join(', ')}`);
  try {
    return `data:image/${type};base64,${readFileSync(path, 'base64')}`;
  } catch (error) {
    throw asUnreadable(path, error);
  }
}
