import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

// What linters can't say. CONTRIBUTING.md lists the other guards.

const FILES = globSync(['src/**/*.{ts,tsx}', 'commands/**/*.{ts,tsx}', 'migrations/*.ts']).sort();

/** Lines of code of all files that match, as `file:line: text`. Comment lines don't count. */
function codeLines(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text, index) => (pattern.test(text) && !/^\s*(\/\/|\/?\*)/.test(text) ? [`${file}:${index + 1}: ${text.trim()}`] : [])),
  );
}

describe('lines', () => {
  it('have 200 characters at most, but for lists of words: a change to a longer one could not be reviewed', () => {
    const lists = ['src/mail/opt-outs/weights.ts', 'src/mail/opt-outs/east-asian.ts'];
    const files = FILES.filter((file) => !lists.includes(file) && !file.startsWith('src/mail/opt-outs/lexicons/'));
    expect(codeLines(files, /.{201}/)).toEqual([]);
  });
});

describe('the terminal', () => {
  it('is written by src/cli/terminal.ts alone, which cleans what strangers wrote', () => {
    const allowed = [
      'src/cli/terminal.ts',
      // Their errors, and the end of what was written.
      'src/cli/main.ts',
      // The prompt of a library that echoes no password; its question is cleaned.
      'src/cli/password.ts',
      // The editor of the person at the terminal.
      'src/editor/open-editor.ts',
      // Two control sequences of ours.
      'src/dashboard/line-wrap.ts',
      // JSON lines, cleaned.
      'src/core/log.ts',
    ];
    const write =
      /process\.std(out|err)\b(?!\.(isTTY|columns|hasColors)\b)|\bux\b.*@oclif|this\.(warn|error|logToStderr)\(|stdio: 'inherit'/;
    expect(codeLines(allowed, write).length).toBeGreaterThan(3);
    expect(codeLines(FILES, write).filter((line) => !allowed.some((file) => line.startsWith(`${file}:`)))).toEqual([]);
  });
});

describe('temporary files', () => {
  it('have names that nobody can guess: of mkdtemp, or of draftOf and opened exclusively', () => {
    expect(codeLines(FILES, /[.-]\$\{process\.pid\}|\.tmp['`]|tmpdir\(\)/).filter((line) => !line.includes('mkdtempSync('))).toEqual([]);
    const drafts = FILES.filter((file) => /\bdraftOf\(/.test(readFileSync(file, 'utf8')));
    expect(drafts.length).toBeGreaterThan(3);
    expect(drafts.filter((file) => !readFileSync(file, 'utf8').includes("'wx'"))).toEqual([]);
  });
});

describe('libraries', () => {
  it('are used by what they promise, not by members that begin with _', () => {
    // Agenda documents the id of a job.
    expect(codeLines(FILES, /[\w)\]]\??\._(?!id\b|domainkey\b)\w/)).toEqual([]);
  });
});

describe('addresses', () => {
  it('are compared by src/core/email-address.ts alone, which knows that one mailbox has several spellings', () => {
    const allowed = [
      'src/core/email-address.ts',
      // These look for an address in a text.
      'src/mail/classify/bounce.ts',
      'src/mail/classify/quote.ts',
      'src/maintenance/erase-person.ts',
      // The word before the @, which patterns are matched with.
      'src/mail/classify/addresses.ts',
    ];
    const compare =
      /(?:address|mail|recipient|sender|emailed)(?:\.trim\(\)|\.slice\([^)]*\)+)*\??\.toLowerCase\(|lower\((?:\w+\.)?(?:email|recipient|sender)\) =/i;
    expect(codeLines(allowed, compare).length).toBeGreaterThan(3);
    expect(codeLines(FILES, compare).filter((line) => !allowed.some((file) => line.startsWith(`${file}:`)))).toEqual([]);
  });
});
