import { Readable } from 'node:stream';
import { systemClock } from '../../core/clock.ts';
import { writeWhole } from '../../files/output-file.ts';
import type { CampaignReport } from '../../reports/index.ts';
import { reportPage } from '../../reports/page/index.ts';
import type { Api } from '../client/api.ts';
import type { RotationLine } from '../client/rotation.ts';
import { type ReportQuery, readReport } from './read-report.ts';

/** Asks for every report of a campaign, or of the rotation group that it is in, and writes them as a page. Throws when the file can't be written. */
export async function writeReportPage(
  api: Api,
  { id, group }: { id: number; group: RotationLine | undefined },
  request: Omit<ReportQuery, 'by'>,
  file: string,
): Promise<void> {
  const report = (by: CampaignReport['by']) => readReport(api, id, group, { by, ...request });
  const [campaign, step, variant, day, account, provider, domain] = await Promise.all([
    api.campaigns.get.query({ id }),
    report('step'),
    report('variant'),
    report('day'),
    report('account'),
    report('provider'),
    report('domain'),
  ]);
  const madeAt = `${systemClock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const page = reportPage({
    campaign: { ...campaign, name: group?.name ?? campaign.name, status: group?.status ?? campaign.status },
    madeAt,
    reports: { step, variant, day, account, provider, domain },
  });
  await writeWhole(file, Readable.from([page.html]));
}
