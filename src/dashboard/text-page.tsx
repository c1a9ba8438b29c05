import { Box } from 'ink';
import { type ReactElement, useEffect, useMemo, useState } from 'react';
import { messageOf } from '../core/errors.ts';
import { describeAccount } from '../terminal/account-page.ts';
import { personText, readPerson } from '../terminal/person-page.ts';
import type { Screen } from '../terminal/screen.ts';
import { oneLine } from '../terminal/text-width.ts';
import type { Api } from './connection.ts';
import { wrapped } from './reply-lines.ts';
import { Text } from './text.tsx';

/** A page of one record, which the commands print too. */
export interface OpenPage {
  kind: 'person' | 'account';
  id: number;
}

/** Entries of the timeline of a person, the newest. */
const ENTRIES = 100;

const screenOf = (width: number, timezone: string): Screen => ({
  width,
  hasColors: false,
  isExact: true,
  timezone,
  now: new Date(0),
});

async function readText(api: Api, { kind, id }: OpenPage, width: number): Promise<string> {
  if (kind === 'account') return describeAccount(api, id, screenOf(width, 'UTC'));
  const person = await readPerson(api, id, ENTRIES);
  return personText(person, screenOf(width, person.timezone));
}

interface TextPageProps {
  api: Api;
  page: OpenPage;
  /** The first line that is shown. */
  scroll: number;
  width: number;
  height: number;
  /** Changes when something was done, and the page is read again. */
  notice: string | null;
}

/** A page that is scrolled by lines: everything about a person, or an account. */
export function TextPage({ api, page, scroll, width, height, notice }: TextPageProps): ReactElement {
  const [known, setKnown] = useState<{ text: string | null; problem: string | null }>({ text: null, problem: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a notice tells of a change
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
  const first = Math.max(0, Math.min(scroll, lines.length - room));
  const place = lines.length > room ? `── lines ${first + 1} to ${Math.min(first + room, lines.length)} of ${lines.length}` : '──';
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
        {known.problem !== null ? `can't load: ${oneLine(known.problem)}` : known.text === null ? 'loading …' : place}
      </Text>
    </Box>
  );
}
