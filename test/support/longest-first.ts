import { basename } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * The files of the soak run that take longest, the longest first. What begins last must be short, or one worker is busy while the
 * others are idle, and vitest goes by the sizes of files, which say nothing about that.
 */
const LONGEST_FILES = [
  'systemd.test.ts',
  'two-daemons.test.ts',
  'debian-package.test.ts',
  'crash.test.ts',
  'demo.test.ts',
  'enrolments.db.test.ts',
  'killed-answers.test.ts',
  'webhooks.test.ts',
  'report-counters.db.test.ts',
  'everything-on.test.ts',
  'inbound.test.ts',
  'dashboard.test.ts',
];

/** Takes the longest files first, whatever project they are of, and then the others in the order of vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST_FILES.indexOf(basename(moduleId));
      return index === -1 ? LONGEST_FILES.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
