import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages, ROOT } from '../support/docs.ts';

/**
 * Phrases that no help, message, error or page contains, with the words to use. CONTRIBUTING.md has the guide that they follow from.
 * A phrase that a reader stumbled over is added here when it is mended.
 */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\b(activated|paused|sent) by itself\b/i, '"Activate each campaign separately."'],
  [/\banything about \S+ not found\b/i, '"Nothing is stored about …"'],
  [/\bparted by\b/i, 'separated by'],
  [/\bemails of today\b|\bhas sent its\b/i, '"has reached its daily limit of …"'],
  [/\bpaused by (a person|hand)\b/i, '"was paused manually"'],
  [/\bshall\b/i, 'must, will or is to'],
  [/\banew\b/i, 'again, or a verb with re-: re-encrypted'],
  [/\bnobody can be asked\b/i, '"No terminal to confirm; pass --yes"'],
  [/\bwebhook \S+ tells\b/i, '"Webhook 1 created; it posts to …"'],
  [/\bwere put on list\b/i, '"were added to list"; of a dry run "would be added"'],
  [/\b[a-z]{3,}\(s\)(?! ->)/, 'the right plural, see `quantity` in src/core/english.ts'],
  [/\bgive it out\b|\bgiving out\b/i, 'export'],
  [/\basked for twice\b/i, '"need confirmation"'],
  [/\bsaid twice\b|\bdoes no harm\b/i, '"Safe to repeat"'],
  [/\breceived NaN\b|\bMissing \d+ required arg/, 'words of our own: src/cli/usage-error.ts'],
  [/\bscales out\b/i, 'for scaling out'],
  [/(?<!e-|too many )\bmails\b/i, 'emails'],
  [/\ball the same\b/i, 'still, or anyway'],
  [/\bany more\b/i, 'no longer, or no more'],
  [/\bcan not\b/i, "can't"],
  [/\bgo(es)? on by itself\b|\bgo on with\b/i, 'continues automatically'],
  [/\b(in order to|in case that|respectively|as well as also)\b/i, 'to; if; a plain sentence'],
  [/\bthe both\b|\bin the contrary\b|\bsince \d+ (days|hours|minutes)\b|\bactual(ly)? running\b/i, 'plain English'],
  [/\bplease be aware\b|\bsimply\b|\bjust run\b/i, 'leave it out'],
];

/** Words of other people: messages that we recognise, and other languages. */
const FOREIGN = /^src\/(mail\/(classify|replies|phrases)|http\/unsubscribe-page|html)/;

const sources = globSync(['src/**/*.{ts,tsx}', 'commands/**/*.ts'], { cwd: ROOT }).filter((path) => !FOREIGN.test(path));
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');

/** The places of a text where a phrase stands, over the ends of lines too. */
const placesOf = (path: string, text: string, phrase: RegExp): string[] =>
  [...text.replaceAll(/\s+/g, ' ').matchAll(new RegExp(phrase, `${phrase.flags}g`))].map(({ 0: found }) => `${path}: ${found}`);

describe('Help, messages, errors and pages are written in plain English', () => {
  const texts = [...sources, ...pages(), 'SECURITY.md', 'CHANGELOG.md'].map((path) => [path, read(path)] as const);

  it.each(BANNED)('none says %s; better: %s', (phrase) => {
    expect(texts.flatMap(([path, text]) => placesOf(path, text, phrase))).toEqual([]);
  });

  it('finds a phrase that a line break divides', () => {
    expect(placesOf('a page', 'It was paused by\n  a person.', /paused by a person/)).toEqual(['a page: paused by a person']);
  });
});

describe('The summary of every command begins with a verb', () => {
  /** Verbs that summaries begin with. A new one is added here, after a look at whether it is one. */
  const VERBS = new Set(
    (
      'Activate Add Answer Archive Assign Attach Back Build Change Check Classify Connect Copy Correct Count Create Delete Deliver Disable ' +
      'Edit Enable Enrol Erase Explain Export Find Forecast Forget Hide Hold Import Install Invite Label Leave List Listen Log Mark Measure ' +
      'Move Open Pause Preview Print Read Recount Remove Rename Renew Replace Replay Report Resolve Restore Resume Revert Revoke Rotate Run ' +
      'Search Select Send Serve Set Share Show Skip Start Stop Stream Subscribe Suppress Tag Test Turn Unarchive Undo Update Upgrade Wait Watch Write'
    ).split(' '),
  );

  /** The first line of a command's description; undefined for the hidden ones without any. */
  const summaryOf = (path: string) =>
    /static override (?:summary|description) =\s*(['"`])([\s\S]*?)(?<!\\)\1/.exec(read(path))?.[2]?.split(/\n|\\n/)[0];
  const summaries = sources.filter((path) => path.startsWith('commands/')).map((path) => [path, summaryOf(path)] as const);

  it.each(summaries)('%s', (path, summary) => {
    if (summary === undefined) return expect(read(path)).toContain('static override hidden = true');
    expect(VERBS, summary).toContain(summary.split(' ')[0]);
    // oclif's list of commands shows one line each.
    expect(summary.length, summary).toBeLessThanOrEqual(100);
    expect(summary, 'no full stop').not.toMatch(/\.$/);
  });
});
