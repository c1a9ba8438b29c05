import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Plays the demo in tmux and draws what it shows: docs/images/demo.svg, a recording, and person.svg, the page of a person.
 * `npm run pictures`; tmux has to be installed. The picture of a report is drawn by test/soak/everything-on.test.ts.
 */
const WIDTH = 100;
const HEIGHT = 30;
/** Size of a character, in pixels. */
const CELL = { width: 8.4, height: 18 };
const PADDING = 14;
const SOCKET = `outreach-pictures-${process.pid}`;
const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url));
/** The colours of a terminal, by their number, on a dark ground. */
const COLOURS = ['#24292f', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#c9d1d9'];
const GREY = '#8b949e';
const INK = '#e6edf3';
const GROUND = '#0d1117';

const tmux = (...args: string[]): string => execFileSync('tmux', ['-L', SOCKET, ...args], { encoding: 'utf8' });
const press = (key: string) => tmux('send-keys', '-t', 'demo', key);
const screen = (): string[] => tmux('capture-pane', '-e', '-p', '-t', 'demo').split('\n').slice(0, HEIGHT);

interface Style {
  colour: string | undefined;
  isBold: boolean;
  isDim: boolean;
  isInverse: boolean;
}

const PLAIN: Style = { colour: undefined, isBold: false, isDim: false, isInverse: false };

/** Returns the style after an SGR escape sequence (ECMA-48 §8.3.117), for the codes that the dashboard uses. */
function styled(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 7) return { ...style, isInverse: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 27) return { ...style, isInverse: false };
  if (code === 90) return { ...style, colour: GREY };
  if (code === 39) return { ...style, colour: undefined };
  return { ...style, colour: COLOURS[code - 30] ?? COLOURS[code - 90] ?? style.colour };
}

/** Escapes a text. Non-breaking spaces are not collapsed. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(' ', '\u00a0');

/** Draws a line of the terminal in its row: one text element for each run of one style, stretched to its cells. */
function line(text: string, row: number): string {
  let style = PLAIN;
  let column = 0;
  let drawn = '';
  for (const [index, run] of text.split('\u001b[').entries()) {
    // All parts but the first begin with the codes of a sequence and an m.
    const end = index === 0 ? -1 : run.indexOf('m');
    if (index > 0) style = run.slice(0, end).split(';').map(Number).reduce(styled, style);
    const part = run.slice(end + 1);
    const length = [...part].length;
    const at = { x: PADDING + column * CELL.width, y: PADDING + row * CELL.height, width: length * CELL.width };
    column += length;
    if (style.isInverse && length > 0)
      drawn += `<rect x="${px(at.x)}" y="${at.y}" width="${px(at.width)}" height="${CELL.height}" fill="${INK}"/>`;
    if (part.trim() === '') continue;
    const colour = style.isInverse ? GROUND : (style.colour ?? INK);
    const look = `${colour === INK ? '' : ` fill="${colour}"`}${style.isBold ? ' font-weight="bold"' : ''}${style.isDim ? ' opacity=".6"' : ''}`;
    drawn += `<text x="${px(at.x)}" y="${at.y + 13}" textLength="${px(at.width)}"${look}>${escaped(part)}</text>`;
  }
  return drawn;
}

const px = (length: number): number => Math.round(length * 10) / 10;
const drawing = (lines: readonly string[]): string => lines.map(line).join('');

/** Draws an image of one screen, or of several in turn, each for `seconds`. */
function svg(title: string, frames: readonly (readonly string[])[], seconds = 0): string {
  const [width, height] = [WIDTH * CELL.width + 2 * PADDING, HEIGHT * CELL.height + 2 * PADDING];
  const share = 100 / frames.length;
  const isMoving = frames.length > 1;
  const motion = isMoving
    ? `<style>.f{visibility:hidden;animation:f ${frames.length * seconds}s step-end infinite}@keyframes f{0%{visibility:visible}${share}%{visibility:hidden}}</style>`
    : '';
  const drawn = frames.map((lines, index) =>
    isMoving ? `<g class="f" style="animation-delay:${px(index * seconds)}s">${drawing(lines)}</g>` : drawing(lines),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${INK}"><title>${escaped(title)}</title>${motion}<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>${drawn.join('')}</svg>\n`;
}

/** Waits until the screen shows `what`. Throws after `seconds`. */
async function sees(what: RegExp, seconds: number): Promise<string[]> {
  for (let waited = 0; waited < seconds * 4; waited++) {
    const shown = screen();
    if (what.test(shown.join('\n'))) return shown;
    await wait(250);
  }
  throw new Error(`after ${seconds} s the demo still does not show ${what}:\n${screen().join('\n')}`);
}

const frames: string[][] = [];

/** Records the screen, every half second for that long. */
async function record(seconds: number): Promise<void> {
  for (let each = 0; each < seconds * 2; each++) {
    const shown = screen();
    if (JSON.stringify(shown) !== JSON.stringify(frames.at(-1))) frames.push(shown);
    await wait(500);
  }
}

const program = fileURLToPath(new URL('../bin/run.js', import.meta.url));
tmux(
  '-f',
  '/dev/null',
  'new-session',
  '-d',
  '-s',
  'demo',
  '-x',
  String(WIDTH),
  '-y',
  String(HEIGHT),
  `${process.execPath} ${program} demo`,
);
try {
  await sees(/● live/, 180);
  await record(8);
  await sees(/Replies [2-9]\d/, 120);
  await record(3);
  press('4');
  await record(2);
  press('Enter');
  await record(3);
  press('Escape');
  press('3');
  await record(2);
  press('Enter');
  await wait(2_000);
  const person = screen();
  await record(2);
  press('Escape');
  press('1');
  await record(4);
  const write = (name: string, text: string) => writeFileSync(`${IMAGES}${name}.svg`, text);
  write('demo', svg('The dashboard while a campaign runs: emails, opens, clicks and replies as they come', frames, 0.7));
  write('person', svg('The page of a person: campaigns, emails with their text, opens, clicks and replies', [person]));
  console.log(`docs/images: demo.svg (${frames.length} screens), person.svg`);
} finally {
  tmux('kill-server');
}
