import type { NewEvent } from '../../src/events/index.ts';
import type { CampaignReport } from '../../src/reports/index.ts';

/** An email of the model. */
export interface ModelEmail {
  id: number;
  stepId: number;
  stepOrder: number;
  variant: 'A' | 'B' | null;
  accountId: number;
  domain: string;
}

/** An event of the model: what was told to the log, and on which local day of its campaign. */
export interface ModelEvent {
  enrolmentId: number;
  type: NewEvent['type'];
  email: ModelEmail;
  day: string;
  replyId: number | null;
}

const CONTACT_COUNTS = ['opened', 'clicked', 'replied', 'auto_replied', 'bounced', 'failed', 'unsubscribed'] as const;
const NAMES = ['contacts', 'sent', 'delivered', ...CONTACT_COUNTS, 'machine_opened', 'machine_clicked'] as const;
export type ModelCounts = Record<(typeof NAMES)[number], number>;

const nothing = (): ModelCounts => Object.fromEntries(NAMES.map((name) => [name, 0])) as ModelCounts;
/** The counts of a row of a report, without its key and its rates. */
export const countsOf = (row: ModelCounts): ModelCounts => Object.fromEntries(NAMES.map((name) => [name, row[name]])) as ModelCounts;

/** What each event of one campaign adds to, in the order of the log, and the day of its email. */
function countedEvents(events: readonly ModelEvent[]): { event: ModelEvent; day: string; adds: Partial<ModelCounts> }[] {
  return events.map((event, index) => {
    const before = events.slice(0, index);
    const ofContact = before.filter(({ enrolmentId, type }) => enrolmentId === event.enrolmentId && type === event.type);
    const isFirstOfEmail = !ofContact.some(({ email }) => email.id === event.email.id);
    const sent = before.find(({ type, email }) => type === 'sent' && email.id === event.email.id);
    const adds: Partial<ModelCounts> = {};
    const { type } = event;
    if (type === 'sent') Object.assign(adds, { sent: 1, delivered: 1, contacts: ofContact.length === 0 ? 1 : 0 });
    else if (type === 'machine_opened' || type === 'machine_clicked') adds[type] = 1;
    else if (type !== 'enrolled' && ofContact.length === 0) adds[type] = 1;
    if (type === 'bounced' && sent !== undefined && isFirstOfEmail) adds.delivered = -1;
    return { event, day: type === 'sent' ? event.day : (sent?.day ?? event.day), adds };
  });
}

/** The rows of a report on a campaign by their keys; a row that counts nothing is left out. */
export function modelReport(
  events: readonly ModelEvent[],
  by: CampaignReport['by'],
  days: { since?: string | undefined; until?: string | undefined },
  names: { stepOf: (stepId: number) => string; providerOf: (domain: string) => string },
): Record<string, ModelCounts> {
  const rows: Record<string, ModelCounts> = {};
  for (const { event, day, adds } of countedEvents(events)) {
    if (day < (days.since ?? '') || day > (days.until ?? '9999')) continue;
    const { stepId, variant, accountId, domain } = event.email;
    const keys = {
      ...{ step: names.stepOf(stepId), variant: String(variant), day, week: mondayOf(day), account: String(accountId), domain },
      provider: names.providerOf(domain),
    };
    const row = rows[keys[by]] ?? nothing();
    rows[keys[by]] = row;
    for (const name of NAMES) row[name] += adds[name] ?? 0;
  }
  return Object.fromEntries(Object.entries(rows).filter(([, row]) => NAMES.some((name) => row[name] !== 0)));
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}
