import { Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { serverUrl } from '../../src/cli/client/target.ts';
import { removeAbandoned, temporaryName } from '../../src/cli/client/temporary-webhook.ts';
import { passOn, startReceiver, type WebhookMessage } from '../../src/cli/client/webhook-receiver.ts';
import { onReaderGone, printJsonLine, say } from '../../src/cli/terminal.ts';
import { invalid, messageOf } from '../../src/core/errors.ts';
import { onStopSignal } from '../../src/core/stop-signal.ts';

export default class WebhookListen extends ClientCommand {
  static override description = `Show webhook messages as they come in, until Ctrl-C

Adds a webhook to this machine for the time of the command, checks the signature of each message, and shows it or passes it on with --forward. \
The daemon must reach this machine: one that runs here needs the setting webhooks.allow_private; for one elsewhere, open a tunnel to --port and \
name its address with --address. Ctrl-C and SIGTERM remove the webhook. A killed command leaves it; the next one removes it.`;
  static override examples = [
    '<%= config.bin %> webhook listen --events event.replied,reply.received',
    '<%= config.bin %> webhook listen --forward http://127.0.0.1:3000/hooks',
    '<%= config.bin %> webhook listen --port 4000 --address https://a1b2.tunnel.example.com',
  ];
  static override enableJsonFlag = false;
  static override flags = {
    address: Flags.string({ description: 'public URL that leads to this command (default: its own address)', helpValue: 'URL' }),
    events: Flags.string({ description: 'message types, separated by commas (default: all but the high-volume types)', helpValue: 'a,b' }),
    forward: Flags.string({ description: 'pass each message on to this URL, with its signature', helpValue: 'URL' }),
    'include-body': Flags.boolean({ description: 'include the full text of replies' }),
    json: Flags.boolean({ description: 'print each message as JSON on a line of its own' }),
    port: Flags.integer({ description: 'port of 127.0.0.1 to listen on (default: a free one)', min: 1, max: 65_535, helpValue: 'P' }),
  };

  async run() {
    const { flags } = await this.parse(WebhookListen);
    const forward = flags.forward;
    // Only checks the URL; messages go to all of it, including a query such as a token.
    if (forward !== undefined) serverUrl(forward, '--forward');
    const api = await this.client(flags);
    const ended = Promise.withResolvers<void>();
    const end = () => ended.resolve();
    const release = onStopSignal(end, ['SIGINT', 'SIGTERM', 'SIGHUP']);
    onReaderGone(end);
    for (const id of await removeAbandoned(api)) say(`Removed webhook ${id}, which a killed command left.`);
    const receiver = await startReceiver(flags.port ?? 0);
    try {
      const url = flags.address ?? receiver.url;
      const types = flags.events?.split(',').map((type) => type.trim());
      const hook = { url, types, name: temporaryName(), include_body: flags['include-body'] };
      const { id, secret } = await api.webhooks.create.mutate(hook).catch((error: unknown) => {
        throw flags.address === undefined ? withRemedy(messageOf(error), error) : error;
      });
      const show = (message: WebhookMessage, fate: string) =>
        flags.json ? printJsonLine(JSON.parse(message.body)) : this.logLine(`${message.type}  ${message.id}${fate}  ${dataOf(message)}`);
      receiver.begin(secret, async (message) => {
        const answer = forward === undefined ? 204 : await passOn(message, forward);
        show(message, forward === undefined ? '' : `  ${typeof answer === 'number' ? `answered ${answer}` : `not passed on: ${answer}`}`);
        return typeof answer === 'number' ? answer : 502;
      });
      say(`Webhook ${id} listens at ${flags.address ?? receiver.url}. Press Ctrl-C to stop.`);
      await ended.promise;
      await api.webhooks.delete.mutate({ id }).catch((error: unknown) => {
        throw new Error(`webhook ${id} could not be removed: ${messageOf(error)}; run: outreach webhook remove ${id}`, { cause: error });
      });
      say(`Webhook ${id} was removed.`);
    } finally {
      receiver.close();
      release();
    }
  }
}

/** Explains the refusal of this machine's address by a server that does not allow private ones. */
const withRemedy = (message: string, cause: unknown) =>
  message.startsWith('url: ')
    ? invalid(
        'the daemon sends no webhooks to this machine; set webhooks.allow_private = true in its outreach.toml and restart it, or name a public address that leads to --port with --address',
        { cause },
      )
    : cause;

const dataOf = ({ body }: WebhookMessage): string => JSON.stringify(JSON.parse(body).data);
