import { describe, expect, it } from 'vitest';
import { answerDraft, answerIn } from '../../src/editor/answer-draft.ts';

const MESSAGE = { from: 'ada@example.com', subject: 'Re: Hello', text: 'Yes.\n\nWhen?' };

describe('the draft of an answer', () => {
  it('holds the message, quoted, and no answer until one is written above the border', () => {
    const draft = answerDraft(MESSAGE);
    expect(draft).toContain('\n> Yes.\n>\n> When?\n');
    expect(answerIn(draft)).toBe('');
    expect(answerIn(draft.replace('\n', '\n\n  Tuesday suits me.  \r\n\r\n-- \r\nZoe\n\n'))).toBe('  Tuesday suits me.  \n\n-- \nZoe');
  });

  it('is all answer where the border was deleted', () => {
    expect(answerIn('\ufeffTuesday.\n> Yes.\n')).toBe('Tuesday.\n> Yes.');
  });

  it('shows the message without what moves a cursor, and gives its editor no settings', () => {
    const evil = answerDraft({
      from: '\u001b[2Jada',
      subject: 'vim: set ai :',
      text: `${'vim: set modeline :\n'.repeat(600)}\u202eevil\u0007`,
    });
    expect(evil).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    const lines = evil.split('\n');
    for (const line of [...lines.slice(0, 5), ...lines.slice(-6)]) expect(line).not.toMatch(/vim:/);
    expect(lines.length).toBeLessThan(520);
    expect(evil).toContain('> (101 more lines)');
  });
});
