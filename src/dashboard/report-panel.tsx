import { Box } from 'ink';
import type { ReactElement } from 'react';
import { DAY } from '../core/clock.ts';
import { comparisonText, percent, withInterval } from '../core/share-text.ts';
import type { GroupLine, VariantProgress } from '../live/index.ts';
import { shownRow } from '../reports/page/index.ts';
import { count, sparkline } from '../terminal/format.ts';
import type { Api } from './connection.ts';
import { type Column, Table } from './table.tsx';
import { Text } from './text.tsx';

/** Maximum number of days in a sparkline. */
const MAX_DAYS = 30;

const dayBefore = (day: string, days: number): string => new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);

/** Reads the report on a campaign or rotation group by variant, and that on its last days by day. @param today `YYYY-MM-DD` */
export async function readReports(api: Api, { id, rotation_id: group }: GroupLine, today: string) {
  const since = dayBefore(today, MAX_DAYS - 1);
  const [byVariant, byDay] = await Promise.all(
    group === null
      ? [api.reports.campaign.query({ id, by: 'variant' }), api.reports.campaign.query({ id, by: 'day', since })]
      : [api.reports.rotation.query({ id: group, by: 'variant' }), api.reports.rotation.query({ id: group, by: 'day', since })],
  );
  return { byVariant, byDay };
}

export type Reports = Awaited<ReturnType<typeof readReports>>;

type Row = VariantProgress & { id: number; counted: Reports['byVariant']['rows'][number] | undefined };
type Rate = keyof Reports['byVariant']['total']['rates'];

/** Formats a rate of a row with its interval; a dash if nothing was delivered yet or the rate is not tracked. */
const rateOf =
  (rate: Rate) =>
  ({ counted }: Row): string => {
    const share = counted && shownRow(counted).rates[rate];
    return share == null ? '–' : withInterval(share);
  };

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Variant', width: 7, text: (row) => row.variant ?? 'no test' },
  { title: 'Contacts', width: 8, isRight: true, text: (row) => count(row.contacts) },
  { title: 'Opened', width: 20, isRight: true, text: rateOf('opened') },
  { title: 'Clicked', width: 20, isRight: true, rank: 2, text: rateOf('clicked') },
  { title: 'Replied', width: 20, isRight: true, text: rateOf('replied') },
  { title: 'Bounced', width: 19, isRight: true, text: rateOf('bounced') },
];

interface ReportPanelProps {
  reports: Reports;
  variants: readonly VariantProgress[];
  width: number;
  now: string;
  /** True if there is room for the days and the comparison. */
  isTall: boolean;
}

/** Returns the number of lines of a panel. */
export const panelLines = ({ reports, variants, isTall }: Omit<ReportPanelProps, 'width' | 'now'>): number =>
  1 + variants.length + 1 + (isTall ? (hasDays(reports) ? 2 : 0) + compared(reports).length : 0);

const hasDays = ({ byDay }: Reports) => byDay.rows.length > 0;

/** Returns the comparison of the reply rate: replies are what campaigns are for. */
const compared = ({ byVariant }: Reports) => (byVariant.comparison ?? []).filter(({ rate }) => rate === 'replied');

/** The numbers of the report on a campaign: its totals, its emails and replies by day, and its variants with their 95% intervals. */
export function ReportPanel({ reports, variants, width, now, isTall }: ReportPanelProps): ReactElement {
  const { total, rows } = reports.byVariant;
  const { rates } = shownRow(total);
  const shares = (['opened', 'clicked', 'replied', 'bounced'] as const).map((rate) => {
    if ((rate === 'opened' || rate === 'clicked') && !total.tracked[rate]) return `${rate}: not tracked`;
    return `${rate} ${rates[rate] === null ? '–' : percent(rates[rate].rate)}`;
  });
  const totals = [`${count(total.sent)} sent`, `${count(total.delivered)} delivered`, ...shares].join('  ');
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap="truncate">{totals.length <= width ? totals : totals.slice(totals.indexOf('  ') + 2)}</Text>
      {isTall && hasDays(reports) && <Days reports={reports} width={width} today={now.slice(0, 10)} />}
      <Table
        rows={variants.map((row, id) => ({ ...row, id, counted: rows.find(({ variant }) => variant === row.variant) }))}
        columns={COLUMNS}
        selected={null}
        width={width}
        height={variants.length + 1}
        now={now}
        empty=""
      />
      {isTall &&
        compared(reports).map((comparison) => (
          <Text key={comparison.rate} dimColor wrap="truncate">
            {` ${comparisonText(comparison)}`}
          </Text>
        ))}
    </Box>
  );
}

/** Sparklines of the emails sent on each of the last days, and of those that were answered. */
function Days({ reports: { byDay }, width, today }: { reports: Reports; width: number; today: string }): ReactElement {
  const last = byDay.rows.reduce((latest, { day = '' }) => (day > latest ? day : latest), today);
  const days = Array.from({ length: Math.min(MAX_DAYS, Math.max(1, width - 40)) }, (_, index) => dayBefore(last, index)).reverse();
  const rows = new Map(byDay.rows.map((row) => [row.day, row]));
  const line = (title: string, numbers: readonly number[]) => (
    <Text wrap="truncate">{`${title.padEnd(8)}${sparkline(numbers)}  at most ${count(Math.max(...numbers))} a day since ${days[0]}`}</Text>
  );
  return (
    <Box flexDirection="column" height={2} flexShrink={0}>
      {line(
        'Sent',
        days.map((day) => rows.get(day)?.sent ?? 0),
      )}
      {line(
        'Replied',
        days.map((day) => rows.get(day)?.replied ?? 0),
      )}
    </Box>
  );
}
