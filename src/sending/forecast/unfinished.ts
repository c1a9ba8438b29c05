import { endOfWait } from '../../campaigns/index.ts';
import { localDay, zoneOrUtc } from '../../core/zone.ts';
import type { ForecastEmail } from '../plan/simulated-batch.ts';
import type { SimulatedEnrolment } from '../plan/simulated-queue.ts';
import type { SendingAccount } from '../state/account-state.ts';
import type { DailyPlan } from './daily-plan.ts';
import type { Simulation } from './simulation.ts';

/**
 * Why a sequence does not end in time. `waits`: its own waits or the campaign's start; `not_planned`: it is held or its account may not
 * send.
 */
export const UNFINISHED_REASONS = [
  'daily_limit',
  'new_contacts_per_day',
  'max_per_company_per_day',
  'sending_hours',
  'waits',
  'not_planned',
] as const;
type UnfinishedReason = (typeof UNFINISHED_REASONS)[number];

export interface UnfinishedCause {
  reason: UnfinishedReason;
  contacts: number;
  /** The accounts whose daily limit is the reason; empty for other reasons. */
  accounts: string[];
}

export interface CalendarCampaign {
  id: number;
  name: string;
  timezone: string;
  new_contacts_per_day: number | null;
  max_per_company_per_day: number | null;
  /** The owner of its limits: the campaign, or its rotation group as a negative number. */
  sequence: number;
  is_visible: boolean;
  /** Active contacts that the caller sees. */
  contacts: number;
}

interface Waiting {
  enrolment: SimulatedEnrolment;
  account: SendingAccount;
  startsAt: Date | null;
  holidays: string | null;
}

/**
 * Follows a simulation and counts the contacts whose sequence does not end in it, by reason. The reason is the waits if they alone take too
 * long; otherwise it is the limit reached on the most days, or the sending hours if no limit is ever reached.
 */
export class Unfinished {
  readonly #campaigns: ReadonlyMap<number, CalendarCampaign>;
  readonly #period: { now: Date; until: string };
  readonly #waiting = new Map<number, Waiting>();
  readonly #byCampaign: ReadonlyMap<number, readonly Waiting[]>;
  readonly #ended = new Set<number>();
  readonly #planned: ReadonlyMap<number, DailyPlan>;
  /** Number of emails by limit of a sequence, then by day. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** @param planned the emails of each account, by its id */
  constructor(
    campaigns: readonly CalendarCampaign[],
    simulations: readonly Simulation[],
    planned: ReadonlyMap<number, DailyPlan>,
    period: { now: Date; until: string },
  ) {
    this.#planned = planned;
    this.#campaigns = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    this.#period = period;
    for (const { account, campaigns: states, enrolments } of simulations) {
      const byId = new Map(states.map((state) => [state.id, state]));
      for (const enrolment of enrolments) {
        const state = byId.get(enrolment.campaignId);
        this.#waiting.set(enrolment.id, { enrolment, account, startsAt: state?.startsAt ?? null, holidays: state?.holidays ?? null });
        if (!enrolment.steps.some(({ kind }) => kind === 'email')) this.#ended.add(enrolment.id);
      }
    }
    this.#byCampaign = Map.groupBy(this.#waiting.values(), ({ enrolment }) => enrolment.campaignId);
  }

  /** Counts an email of the simulation. */
  add({ enrolmentId, campaignId, stepOrder, at }: ForecastEmail): void {
    const campaign = this.#campaigns.get(campaignId);
    const waiting = this.#waiting.get(enrolmentId);
    if (campaign === undefined || waiting === undefined) return;
    const { steps, isFollowUp, company } = waiting.enrolment;
    const emails = steps.filter(({ kind }) => kind === 'email');
    if (emails.at(-1)?.order === stepOrder) this.#ended.add(enrolmentId);
    const ownDay = localDay(at, zoneOrUtc(campaign.timezone));
    if (!isFollowUp && emails[0]?.order === stepOrder) this.#count(`n${campaign.sequence}`, ownDay);
    if (company != null) this.#count(companyKey(campaign, company), ownDay);
  }

  /**
   * Returns why sequences of a campaign do not end, most frequent cause first.
   * @param contacts number of active contacts of the campaign that the caller sees
   * @param hidden enrolments hidden from the caller
   * @param accountId restricts the result to contacts of this account; without it, contacts in no simulation count as `not_planned`
   */
  causes(campaignId: number, contacts: number, hidden: ReadonlySet<number>, accountId: number | undefined): UnfinishedCause[] {
    const campaign = this.#campaigns.get(campaignId) as CalendarCampaign;
    const own = (this.#byCampaign.get(campaignId) ?? []).filter(({ enrolment }) => !hidden.has(enrolment.id));
    const relevant = own.filter(({ account }) => accountId === undefined || account.id === accountId);
    const late = relevant.filter(({ enrolment }) => !this.#ended.has(enrolment.id));
    const causes = [...Map.groupBy(late, (waiting) => this.#reasonFor(campaign, waiting))].map(([reason, those]): UnfinishedCause => {
      const emails = new Set(those.map(({ account }) => account.email));
      return { reason, contacts: those.length, accounts: reason === 'daily_limit' ? [...emails].sort() : [] };
    });
    const notPlanned = accountId === undefined ? contacts - own.length : 0;
    if (notPlanned > 0) causes.push({ reason: 'not_planned', contacts: notPlanned, accounts: [] });
    return causes.sort((x, y) => y.contacts - x.contacts);
  }

  #reasonFor(campaign: CalendarCampaign, waiting: Waiting): UnfinishedReason {
    const { enrolment, account } = waiting;
    if (localDay(this.#earliestEnd(campaign, waiting), account.timezone) > this.#period.until) return 'waits';
    const { new_contacts_per_day, max_per_company_per_day, sequence } = campaign;
    const isFirst = !enrolment.isFollowUp && new_contacts_per_day !== null;
    const company = max_per_company_per_day === null ? null : enrolment.company;
    const daysAt: [UnfinishedReason, number][] = [
      ['daily_limit', this.#planned.get(account.id)?.fullDays ?? 0],
      ['new_contacts_per_day', isFirst ? this.#daysAt(`n${sequence}`, new_contacts_per_day) : 0],
      ['max_per_company_per_day', company == null ? 0 : this.#daysAt(companyKey(campaign, company), max_per_company_per_day ?? 0)],
    ];
    const [most] = daysAt.filter(([, days]) => days > 0).sort(([, x], [, y]) => y - x);
    return most?.[0] ?? 'sending_hours';
  }

  /** Returns when the sequence would end if each email were sent as soon as it is due. */
  #earliestEnd({ timezone }: CalendarCampaign, { enrolment, startsAt, holidays }: Waiting): Date {
    const starts = [this.#period.now, enrolment.dueAt, ...[startsAt, enrolment.heldUntil].filter((time) => time != null)];
    let at = new Date(Math.max(...starts.map((time) => time.getTime())));
    for (const step of enrolment.steps.slice(1)) at = endOfWait(at, step, { timezone, holidays });
    return at;
  }

  #daysAt(key: string, limit: number): number {
    return [...this.#countsOf(key).values()].filter((emails) => emails >= limit).length;
  }

  #count(key: string, day: string): void {
    const counts = this.#countsOf(key);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }

  #countsOf(key: string): Map<string, number> {
    const counts = this.#counts.get(key) ?? new Map<string, number>();
    this.#counts.set(key, counts);
    return counts;
  }
}

const companyKey = ({ sequence }: CalendarCampaign, company: string): string => `c${sequence} ${company}`;
