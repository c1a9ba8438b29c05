import { Box } from 'ink';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { messageOf } from '../core/errors.ts';
import { describeAccount } from '../terminal/account-page.ts';
import { calendarTables } from '../terminal/calendar-page.ts';
import { personText, readPerson } from '../terminal/person-page.ts';
import type { Screen } from '../terminal/screen.ts';
import { shownLine } from '../terminal/text-width.ts';
import type { Api } from './connection.ts';
import { wrapped } from './reply-lines.ts';
import { firstLine, positionText } from './scroll.ts';
import { Text } from './text.tsx';

/** The page of a person or an account, or the calendar of all accounts. Commands print the same. */
export type OpenPage = { kind: 'person' | 'account'; id: number } | { kind: 'calendar' };

/** Number of entries in a person's timeline: the newest ones. */
const ENTRIES = 100;

const screenOf = (width: number, timezone: string): Screen => ({
  width,
  hasColors: false,
  isExact: true,
  timezone,
  now: new Date(0),
});

async function readText(api: Api, page: OpenPage, width: number): Promise<string> {
  if (page.kind === 'calendar') return calendarText(api, width);
  if (page.kind === 'account') return describeAccount(api, page.id, screenOf(width, 'UTC'));
  const person = await readPerson(api, page.id, ENTRIES);
  return personText(person, screenOf(width, person.timezone));
}

async function calendarText(api: Api, width: number): Promise<string> {
  const calendar = await api.calendar.read.query({});
  return `${calendar.summary.join('\n')}\n\n${calendarTables(calendar, screenOf(width, 'UTC'))}`;
}

interface TextPageProps {
  api: Api;
  page: OpenPage;
  /** The first line that is shown. */
  scroll: number;
  width: number;
  height: number;
  /** Changes after an action, which makes the page load again. */
  notice: string | null;
  /** Called with the first visible line if the page ends before `scroll`. */
  onEnd(scroll: number): void;
}

/** A page that is scrolled by lines: everything about a person or an account, or the calendar. It is loaded when it opens. */
export function TextPage({ api, page, scroll, width, height, notice, onEnd }: TextPageProps): ReactElement {
  const [known, setKnown] = useState<{ text: string | null; problem: string | null }>({ text: null, problem: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a notice means that something changed
  useEffect(() => {
    let isWanted = true;
    readText(api, page, width).then(
      (text) => isWanted && setKnown({ text, problem: null }),
      (error: unknown) => isWanted && setKnown((before) => ({ ...before, problem: messageOf(error) })),
    );
    return () => {
      isWanted = false;
    };
  }, [api, page, width, notice]);
  const lines = useMemo(() => (known.text === null ? [] : wrapped(known.text, width)), [known.text, width]);
  const room = Math.max(1, height - 1);
  const first = firstLine(scroll, lines.length, room);
  const isPastEnd = lines.length > 0 && scroll > first;
  useEffect(() => {
    if (isPastEnd) onEnd(first);
  }, [isPastEnd, first, onEnd]);
  const position = positionText(first, lines.length, room);
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {lines.slice(first, first + room).map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <Text key={index} wrap="truncate" bold={first + index === 0} dimColor={text.startsWith('── ')}>
          {text === '' ? ' ' : text}
        </Text>
      ))}
      {lines.length < room && <Box flexGrow={1} />}
      <Text wrap="truncate" dimColor>
        {known.problem !== null ? `can't load: ${shownLine(known.problem)}` : known.text === null ? 'loading …' : position}
      </Text>
    </Box>
  );
}
