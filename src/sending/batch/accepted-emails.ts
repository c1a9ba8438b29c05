import type { App } from '../../app.ts';
import { MicroBatcher } from '../../core/micro-batcher.ts';
import { type Acceptance, recordAcceptedEmails } from '../email/record-outcome.ts';
import { isPermanentError, retryWrite } from './retry-write.ts';

const LINGER_MILLISECONDS = 50;
/** Maximum number of accepted emails that wait to be recorded; beyond it, batches wait before they send another. */
const MAX_UNRECORDED = 100;

/**
 * Records the accepted emails of all batches of a daemon, grouping those accepted within 50 ms: with one transaction for each email, fifty
 * mailboxes send more slowly than bare nodemailer. If a crash prevents the record, the emails stay `transmitting`, and recovery looks for
 * them in the Sent folder.
 */
export type Recorder = MicroBatcher<Acceptance, void>;

export function acceptanceRecorder(app: App): Recorder {
  /** If the database rejects a group, records each of its emails separately, so that one bad email does not block the others. */
  async function record(group: readonly Acceptance[]): Promise<(void | Promise<void>)[]> {
    try {
      await retryWrite(app, () => recordAcceptedEmails(app, group), isPermanentError);
      return group.map(() => undefined);
    } catch (error) {
      if (group.length > 1 && isPermanentError(error)) {
        const each = group.map(async (acceptance) => void (await record([acceptance])));
        await Promise.allSettled(each);
        return each;
      }
      app.log.error({ err: error, emails: group.length }, 'accepted emails could not be recorded; recovery will look them up');
      throw error;
    }
  }
  return new MicroBatcher({ work: record, linger: LINGER_MILLISECONDS });
}

/** The accepted emails of one batch. It tracks when all of them are recorded and if one could not be. */
export class AcceptedEmails {
  readonly #recorder: Recorder;
  /** Resolves when every email so far is recorded; rejects if one could not be. */
  #recorded: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /**
   * Queues an email to be recorded, and resolves when there is room for another one. Throws if an email of the batch could not be recorded:
   * a database that fails to record outcomes may still grant permits, for thousands of emails whose delivery would then be unknown.
   */
  async add(acceptance: Acceptance): Promise<void> {
    const recorded = this.#recorder.add(acceptance);
    const before = this.#recorded;
    this.#recorded = recorded.then(() => before);
    this.#recorded.catch(() => {
      this.#hasFailed = true;
    });
    if (this.#recorder.size >= MAX_UNRECORDED) await this.#recorder.begin();
    if (this.#hasFailed) await this.#recorded;
  }

  /** Records all queued emails now. Throws if one could not be recorded. */
  async flush(): Promise<void> {
    await this.#recorder.flush();
    await this.#recorded;
  }
}
