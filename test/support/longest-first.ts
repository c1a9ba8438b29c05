import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * The files that take longest, the longest first: those of the soak run, then those of `npm test`. The last files to begin must be short,
 * or one worker is busy while the others are idle. vitest sorts by the sizes of files, which don't predict their duration.
 */
const LONGEST_FILES = [
  'soak/systemd.test.ts',
  'soak/rolling-upgrade.test.ts',
  'soak/two-daemons.test.ts',
  'soak/debian-package.test.ts',
  'soak/crash.test.ts',
  'soak/demo.test.ts',
  'life/enrolments.db.test.ts',
  'soak/killed-answers.test.ts',
  'soak/webhooks.test.ts',
  'soak/everything-on.test.ts',
  'soak/inbound.test.ts',
  'soak/dashboard.test.ts',
  'jobs/jobs.e2e.test.ts',
  'sending/uniform-refusals.db.test.ts',
  'sending/calendar.db.test.ts',
  'maintenance/backup.e2e.test.ts',
  'inbound/hostile-servers.db.test.ts',
  'cli/commands.e2e.test.ts',
  'inbound/any-server.db.test.ts',
  'terminal/terminal.e2e.test.ts',
  'cli/client/campaign-commands.db.test.ts',
  'docs/pages.e2e.test.ts',
  'dashboard/dashboard.db.test.tsx',
  'mail/classify/readers.test.ts',
  'api/audit.db.test.ts',
  'live/watch.db.test.ts',
  'sending/connections.db.test.ts',
  'sending/sequences.db.test.ts',
  'reports/report-page.e2e.test.ts',
  'cli/account.e2e.test.ts',
  'api/endpoints/enrolment.db.test.ts',
  'tracking/unsubscribe.e2e.test.ts',
  'docs/readme.e2e.test.ts',
  'inbound/greedy-servers.db.test.ts',
  'sending/hostile-servers.db.test.ts',
];

/** Runs the longest files first, in any project, and then the others in vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST_FILES.findIndex((file) => moduleId.endsWith(`/test/${file}`));
      return index === -1 ? LONGEST_FILES.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
