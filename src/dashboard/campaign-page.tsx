import { Box } from 'ink';
import { type ReactElement, useEffect, useState } from 'react';
import type { CampaignOptions } from '../campaigns/options/index.ts';
import { quantity } from '../core/english.ts';
import { messageOf } from '../core/errors.ts';
import type { Wait } from '../core/wait-text.ts';
import type { GroupLine } from '../live/index.ts';
import { otherOptions, windowText } from '../terminal/campaign-settings.ts';
import { bar, count, relative } from '../terminal/format.ts';
import { localText } from '../terminal/local-text.ts';
import { stateText } from '../terminal/states.ts';
import { stepSubject } from '../terminal/step-subject.ts';
import { shownLine, textWidth } from '../terminal/text-width.ts';
import { MEMBER_COLUMNS } from './columns.ts';
import type { Api } from './connection.ts';
import { panelLines, ReportPanel, readReports } from './report-panel.tsx';
import { type Column, Table } from './table.tsx';
import { Text } from './text.tsx';

/** Reads everything that the page of a campaign or rotation group shows. */
async function readCampaign(api: Api, line: GroupLine, today: string) {
  const { id, rotation_id: group } = line;
  const [explanation, progress, steps, campaign, options, forecast, reports] = await Promise.all([
    group === null ? api.sending.explain.query({ id }) : api.sending.explainRotation.query({ id: group }),
    api.live.progress.query({ id }),
    readSteps(api, id),
    api.campaigns.get.query({ id }),
    api.campaignOptions.get.query({ id }) as Promise<CampaignOptions & { campaign_id: number }>,
    group === null ? api.sending.forecast.query({ id, limit: 50 }) : api.sending.forecastRotation.query({ id: group, limit: 50 }),
    readReports(api, line, today),
  ]);
  const settings = [
    windowText(campaign, options),
    ...(options.list_id === null ? [] : ['enrols contacts who join a list']),
    ...(options.subsequences.length === 0 ? [] : [quantity(options.subsequences.length, 'subsequence')]),
    ...otherOptions(options),
  ];
  return { explanation, progress, steps, settings, timezone: campaign.timezone, forecast: forecast.data, reports };
}

async function readSteps(api: Api, id: number) {
  const { data } = await api.steps.list.query({ id });
  const options = await Promise.all(data.map((step) => api.steps.getOptions.query({ id, step_id: step.id })));
  return data.map((step, index) => ({ wait_hours: 0, business_days: false, ...options[index], ...step }));
}

type Details = Awaited<ReturnType<typeof readCampaign>>;

/** Minimum time between two reads while the campaign is changing. */
const REFRESH_MILLISECONDS = 2_000;

/** Reads the campaign when it is opened, and again when its line changes or a change was made here, which sets `notice`. */
function useDetails(api: Api, line: GroupLine, today: string, notice: string | null): { details: Details | null; problem: string | null } {
  const [state, setState] = useState<{ details: Details | null; problem: string | null; at: number }>({
    details: null,
    problem: null,
    at: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: neither the time of the last read nor a new day triggers another
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(
      () => {
        readCampaign(api, line, today).then(
          (details) => isWanted && setState({ details, problem: null, at: performance.now() }),
          (error: unknown) => isWanted && setState((known) => ({ ...known, problem: messageOf(error), at: performance.now() })),
        );
      },
      Math.max(0, state.at + REFRESH_MILLISECONDS - performance.now()),
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [api, line, notice]);
  return state;
}

interface CampaignPageProps {
  api: Api;
  line: GroupLine;
  width: number;
  height: number;
  now: string;
  notice: string | null;
}

/**
 * Returns the state of a campaign, to show beside its name. Leaves out the number of emails sent on a narrow terminal, because the report below
 * has it.
 */
function headline(line: GroupLine, width: number): string {
  const state = `  ${stateText(line.status)}  ${bar(line.finished / Math.max(1, line.contacts), 10)} `;
  const finished = `${count(line.finished)} of ${count(line.contacts)} finished`;
  const whole = `${state}${finished}  ${count(line.sent)} sent  ${line.account_email}`;
  return textWidth(shownLine(line.name) + whole) <= width ? whole : `${state}${finished}  ${line.account_email}`;
}

/** Reasons are wrapped to a few lines. Wrapping whole words leaves part of each line empty. */
const MAX_REASON_LINES = 3;
const MAX_WORD = 12;
const linesOf = (reason: string, width: number): number =>
  reason.length <= width ? 1 : Math.min(MAX_REASON_LINES, Math.ceil(reason.length / Math.max(1, width - MAX_WORD)));

/** A page with at least this many lines has room for days and comparisons. */
const TALL_SCREEN = 22;

/**
 * Shows one campaign: why it does or does not send, the numbers of its report, its variants side by side, the accounts of a rotation group, its
 * steps, and its next emails.
 */
export function CampaignPage({ api, line, width, height, now, notice }: CampaignPageProps): ReactElement {
  const { details, problem } = useDetails(api, line, now.slice(0, 10), notice);
  const reasons = details?.explanation.reasons ?? [];
  const why = reasons.length > 0 ? reasons.slice(0, 3) : ['Sending now.'];
  const variants = details?.progress.variants ?? [];
  const stepLines = Math.min((details?.steps.length ?? 0) + 1, Math.max(3, Math.floor(height / 3)));
  const whyLines = why.reduce((sum, reason) => sum + linesOf(reason, width), 0);
  const memberLines = line.members.length === 0 ? 0 : Math.min(line.members.length + 1, Math.max(3, Math.floor(height / 4)));
  const isTall = height >= TALL_SCREEN;
  const panel = details === null ? 0 : panelLines({ reports: details.reports, variants, isTall });
  const rest = height - 3 - whyLines - panel - stepLines - 3 - (memberLines === 0 ? 0 : memberLines + 1);
  return (
    <Box flexDirection="column" height={height} width={width} overflow="hidden">
      <Text wrap="truncate">
        <Text bold>{shownLine(line.name)}</Text>
        {headline(line, width)}
      </Text>
      {problem !== null && <Text color="red">{`can't load: ${shownLine(problem)}`}</Text>}
      {details === null ? (
        <Text dimColor>{problem === null ? 'loading …' : ''}</Text>
      ) : (
        <>
          {why.map((reason) => (
            <Box key={reason} height={linesOf(reason, width)} flexShrink={0} overflow="hidden">
              <Text color={reasons.length === 0 ? 'green' : 'yellow'}>{shownLine(reason)}</Text>
            </Box>
          ))}
          <Text dimColor wrap="truncate">{`Next email: ${relative(details.explanation.next_send_at, now)}`}</Text>
          <Text dimColor wrap="truncate">{`Sends ${details.settings.map(shownLine).join(' · ')}`}</Text>
          <ReportPanel reports={details.reports} variants={variants} width={width} now={now} isTall={isTall} />
          {memberLines > 0 && <Box height={1} flexShrink={0} />}
          {memberLines > 0 && (
            <Table rows={line.members} columns={MEMBER_COLUMNS} selected={null} width={width} height={memberLines} now={now} empty="" />
          )}
          <Box height={1} />
          <Table
            rows={stepRows(details)}
            columns={STEP_COLUMNS}
            selected={null}
            width={width}
            height={stepLines}
            now={now}
            empty="The campaign has no steps yet."
          />
          <Box height={1} />
          <Table
            rows={details.forecast.map((email, index) => ({ ...email, id: index }))}
            columns={forecastColumns(details.timezone)}
            selected={null}
            width={width}
            height={Math.max(2, rest)}
            now={now}
            empty="No emails are planned."
          />
        </>
      )}
    </Box>
  );
}

const stepRows = ({ steps, progress }: Details) =>
  steps.map((step) => ({ ...step, ...progress.steps.find((own) => own.step_order === step.step_order) }));

/** `3 d`, `2 bus. d`, `6 h`, `1 d 12 h`. */
function shortWait({
  step_order,
  wait_days: days,
  wait_hours: hours,
  business_days: isBusiness,
}: Required<Wait> & { step_order: number }): string {
  if (step_order === 1 && days === 0 && hours === 0) return '';
  const dayText = `${days} ${isBusiness ? 'bus. d' : 'd'}`;
  return [...(days > 0 || hours === 0 ? [dayText] : []), ...(hours > 0 ? [`${hours} h`] : [])].join(' ');
}

const STEP_COLUMNS: readonly Column<ReturnType<typeof stepRows>[number]>[] = [
  { title: 'Step', width: 4, isRight: true, text: (row) => String(row.step_order) },
  { title: 'Kind', width: 5, text: (row) => row.kind },
  { title: 'Wait', width: 10, isRight: true, text: shortWait },
  { title: 'Subject (A)', width: 'grow', text: stepSubject },
  { title: 'Subject (B)', width: 'grow', rank: 2, text: (row) => row.subject_b ?? '' },
  { title: 'Waiting', width: 8, isRight: true, text: (row) => count(row.waiting ?? 0) },
  { title: 'Last email', width: 11, isRight: true, text: (row) => count(row.reached ?? 0) },
];

/** Columns of the next emails, with times in the zone of the campaign. */
function forecastColumns(timezone: string): readonly Column<Details['forecast'][number] & { id: number }>[] {
  const title = `At (${timezone})`;
  return [
    { title: 'Next emails', width: 11, text: (row, now) => relative(row.send_at, now) },
    { title, width: Math.max(title.length, 16), text: (row) => localText(row.send_at, timezone).slice(0, 16) },
    { title: 'Step', width: 4, isRight: true, text: (row) => String(row.step_order) },
    { title: 'To', width: 'grow', text: (row) => row.email },
  ];
}
