import { ManualClock } from '../../src/core/clock.ts';
import { loadConfig } from '../../src/core/config.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { openRuntime } from '../../src/main/runtime.ts';

/**
 * A daemon in a separate process that does nothing but read one mailbox, again and again, until it is killed. Arguments: the account, and
 * the time that its clock shows. Settings come from the environment; prints `polling` when it begins.
 */
const [account = '', now = ''] = process.argv.slice(2);
const { app } = await openRuntime(loadConfig(), { clock: new ManualClock(now) });
process.stdout.write('polling\n');
const poller = new MailboxPoller(app);
for (;;) await poller.poll(Number(account));
