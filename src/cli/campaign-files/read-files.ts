import { readBodies } from '../../campaign-files/body-files.ts';
import { type FileMistake, parseCampaigns } from '../../campaign-files/parse.ts';
import type { DeclaredCampaign } from '../../campaign-files/schema.ts';
import { readInput } from '../read-input.ts';

/** A campaign, the file that declares it, and the lines of its fields there. */
export interface FiledCampaign {
  campaign: DeclaredCampaign;
  file: string;
  lineOf(field: string): number;
  /** Files to upload before it is applied: their paths by SHA-256. */
  attached: ReadonlyMap<string, string>;
}

/** Reads campaigns from files, with their bodies. @returns them, and each mistake as `spring.yaml:12: steps[1].wait: …` */
export async function readCampaignFiles(files: readonly string[]): Promise<{ campaigns: FiledCampaign[]; mistakes: string[] }> {
  const campaigns: FiledCampaign[] = [];
  const mistakes: string[] = [];
  for (const file of files) {
    const parsed = parseCampaigns(await readInput(file));
    const read = parsed.campaigns.map((each) => ({ ...readBodies(each, file), lineOf: each.lineOf }));
    campaigns.push(...read.map(({ campaign, lineOf, attached }) => ({ campaign, file, lineOf, attached })));
    mistakes.push(...[...parsed.mistakes, ...read.flatMap((each) => each.mistakes)].map((mistake) => placed(file, mistake)));
  }
  return { campaigns, mistakes };
}

/** Formats a mistake the way compilers and editors do. */
export const placed = (file: string, { line, field, message }: FileMistake): string =>
  `${file}:${line}: ${field === '' ? '' : `${field}: `}${message}`;
