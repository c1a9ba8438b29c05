import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { conflict } from '../../src/core/errors.ts';
import { writeAnswer } from '../../src/editor/write-answer.ts';

const folder = mkdtempSync(join(tmpdir(), 'outreach-editor-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PATH = join(folder, 'path');
const MESSAGE = { from: 'ada@example.com', subject: 'Re: Hello', text: 'Yes.' };

const FILE = join(folder, 'my editor.sh');
const named = { VISUAL: `'${FILE}'`, EDITOR: 'false' };

/** Makes a shell script the editor, whose file is `$1`. */
function editor(script: string): void {
  writeFileSync(FILE, `#!/bin/sh\nprintf %s "$1" > '${PATH}'\n${script}\n`, { mode: 0o755 });
}

/** Where the editor was shown its file. */
const shown = () => readFileSync(PATH, 'utf8');
const send = async (text: string) => `sent: ${text}`;
const written = `{ echo 'Tuesday.'; cat "$1"; } > "$1.new" && mv "$1.new" "$1"`;

describe('an answer written in an editor', () => {
  it('is sent, and its file removed', async () => {
    editor(written);
    expect(await writeAnswer(31, MESSAGE, send, { editor: named })).toBe('sent: Tuesday.');
    expect(existsSync(dirname(shown()))).toBe(false);
  });

  it('is not sent when it is empty', async () => {
    editor('true');
    await expect(writeAnswer(31, MESSAGE, send, { editor: named })).rejects.toThrow('nothing was written, and nothing was sent');
    expect(existsSync(shown())).toBe(false);
  });

  it('is kept, as the text alone, when it could not be sent or the editor failed; the error says where', async () => {
    editor(written);
    const refused = writeAnswer(31, MESSAGE, () => Promise.reject(conflict('the account is paused')), { editor: named });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^the account is paused; your answer is kept in \/.*answer-31\.txt$/),
    });
    expect(readFileSync(shown(), 'utf8')).toBe('Tuesday.\n');
    rmSync(dirname(shown()), { recursive: true });
    editor(`${written}; exit 3`);
    await expect(writeAnswer(31, MESSAGE, send, { editor: named })).rejects.toThrow(
      /the editor ".*" exited with status 3; your answer is kept in /,
    );
    rmSync(dirname(shown()), { recursive: true });
  });
});
