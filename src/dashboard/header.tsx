import { Box } from 'ink';
import { memo, type ReactElement } from 'react';
import { span } from '../terminal/format.ts';
import type { DashboardState } from './state.ts';
import { Text } from './text.tsx';
import { VIEWS, type View } from './views.ts';

type HeaderProps = Pick<DashboardState, 'connection' | 'reason' | 'now' | 'queue' | 'emailsPerMinute'> & { width: number };

/** In seconds: a lag is shown, and becomes a warning, from these values on. Daemons look for work every few seconds. */
const LAG_WORD_SECONDS = 10;
const LAG_WARNING_SECONDS = 120;

/** The state of the queues in one line, and whether it is live. */
export const Header = memo(function Header({ connection, reason, now, queue, emailsPerMinute, width }: HeaderProps): ReactElement {
  const isLate = queue.batch_lag_seconds > LAG_WARNING_SECONDS || queue.poll_lag_seconds > LAG_WARNING_SECONDS;
  return (
    <Box width={width} height={1} flexShrink={0} justifyContent="space-between">
      <Text wrap="truncate">
        <Text bold>Outreach </Text>
        <Text bold {...CONNECTION[connection]}>
          {connection === 'live' ? '● live' : connection === 'stale' ? '○ STALE' : '○ connecting'}
        </Text>
        {queue.unknown > 0 && <Text color="red">{`  ${queue.unknown} delivery unknown`}</Text>}
        {connection === 'stale' ? (
          <Text>{`  reconnecting: ${reason ?? 'no reason given'}`}</Text>
        ) : (
          <Text {...(isLate ? { color: 'yellow' } : {})}>
            {`  ${emailsPerMinute} emails/min  queue ${queue.batches_due}${lag(queue.batch_lag_seconds)}  in flight ${queue.in_flight}  polls ${queue.polls_due}${lag(queue.poll_lag_seconds)}`}
          </Text>
        )}
      </Text>
      <Box flexShrink={0} marginLeft={1}>
        <Text dimColor>{now === '' ? '' : `${connection === 'stale' ? 'as of ' : ''}${now.slice(11)} UTC`}</Text>
      </Box>
    </Box>
  );
});

const CONNECTION = { live: { color: 'green' }, stale: { color: 'red', inverse: true }, connecting: { color: 'yellow' } } as const;

const lag = (seconds: number) => (seconds >= LAG_WORD_SECONDS ? ` (${span(seconds)} late)` : '');

interface TabsProps {
  view: View;
  counts: Record<Exclude<View, 'calendar'>, number>;
  width: number;
}

const sameTabs = (a: TabsProps, b: TabsProps) =>
  a.view === b.view && a.width === b.width && VIEWS.every(({ name }) => countOf(a.counts, name) === countOf(b.counts, name));

/** Events are too many to count, and the calendar is one page. */
const countOf = (counts: TabsProps['counts'], name: View) => (name === 'events' || name === 'calendar' ? null : counts[name]);

/** The tabs with their counts; on a narrow terminal without the gaps between them, then without the counts. */
export const Tabs = memo(function Tabs({ view, counts, width }: TabsProps): ReactElement {
  const bare = VIEWS.map(({ title }, index) => `${index + 1} ${title}`);
  const counted = VIEWS.map(({ name }, index) => [bare[index], countOf(counts, name)].filter((part) => part !== null).join(' '));
  const room = width - counted.join('  ').length - 2;
  const texts = room < 0 ? bare : counted;
  return (
    <Box width={width} height={1} flexShrink={0} gap={Math.max(0, Math.min(2, Math.floor(room / (VIEWS.length - 1))))}>
      {VIEWS.map(({ name }, index) => (
        <Box key={name} flexShrink={0}>
          {/* Brackets, for terminals without colours. */}
          <Text bold={name === view} inverse={name === view} dimColor={name !== view}>
            {name === view ? `[${texts[index]}]` : ` ${texts[index]} `}
          </Text>
        </Box>
      ))}
    </Box>
  );
}, sameTabs);
