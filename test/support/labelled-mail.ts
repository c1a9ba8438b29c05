import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Labelled mail beside the checkout. It is not part of the project, because its licences are mixed and people wrote it. */
const CORPUS = join(import.meta.dirname, '../../../shared/corpus');
const FOLDERS = [
  'alaveteli',
  'bounce_email',
  'exim-test-mail',
  'flanker',
  'flufl-bounce',
  'helpdesk-replies',
  'mail-deliverystatus-bounceparser',
  'misc-dsn',
  'php-bounce-handler',
  'public-mailing-lists',
  'spamassassin-public-corpus',
];

/** Share of every source and kind that is held out: only its figures are used, its messages are never read. */
const HELD_OUT_SHARE = 0.3;

export const PARTS = ['tuned', 'put aside'] as const;
type Part = (typeof PARTS)[number];

interface Label {
  file: string;
  kind: string;
  recipients?: string[];
  label_source?: string | null;
  recipients_source?: string;
  synthetic?: boolean;
  std_reason?: string | null;
  type?: string | null;
  derived?: { sisimai_5_1_0p3?: { reason: string }[] };
}

export interface LabelledMail extends Label {
  part: Part;
  folder: string;
  raw: Buffer;
}

export const hasLabelledMail = existsSync(CORPUS);
if (!hasLabelledMail) console.log(`skipped: no labelled mail at ${CORPUS}`);

/** Reads every labelled message. The part that it belongs to depends only on its name, so that every run draws the same ones. */
export function labelledMail(): LabelledMail[] {
  const mails = FOLDERS.flatMap((folder) => {
    const labels = JSON.parse(readFileSync(join(CORPUS, folder, 'labels.json'), 'utf8')) as Label[];
    return labels.map((label) => ({ ...label, folder, raw: readFileSync(join(CORPUS, folder, label.file)) }));
  });
  const strata = Object.values(Object.groupBy(mails, ({ folder, kind }) => `${folder} ${kind}`));
  return strata.flatMap((stratum = []) => {
    const drawn = stratum.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
    const count = Math.round(drawn.length * HELD_OUT_SHARE);
    return drawn.map((mail, index) => ({ ...mail, part: index < count ? ('put aside' as const) : ('tuned' as const) }));
  });
}

const rank = ({ folder, file }: { folder: string; file: string }) => createHash('sha256').update(`${folder}/${file}`).digest('hex');
