import { Args, Flags } from '@oclif/core';
import type { Api } from '../../src/cli/client/api.ts';
import { ClientCommand } from '../../src/cli/client/client-command.ts';
import { contactIdOf } from '../../src/cli/client/find-contact.ts';
import { idOf } from '../../src/cli/client/names.ts';
import { searchedIds } from '../../src/cli/client/searched-ids.ts';
import { eachRecord } from '../../src/client/pages.ts';
import { quantity } from '../../src/core/english.ts';
import { invalid } from '../../src/core/errors.ts';

/** The API takes 1,000 in one call, which is slow if name servers or the verifier are: smaller batches show progress. */
const BATCH_SIZE = 100;

type Verified = Awaited<ReturnType<Api['verification']['verify']['mutate']>>['data'][number];

export default class ContactVerify extends ClientCommand {
  static override description = `Check the addresses of contacts before they are emailed

Asks DNS whether the domain receives email, and recognises disposable domains, role addresses and domains where emails bounced lately; the \
setting verify_url adds a verifier of your own. Verdicts are ok, risky, bad and unknown; contact show and campaign check show them, and \
campaign set --skip-risky true leaves out the risky and bad ones. See docs/deliverability.md.`;
  static override examples = [
    '<%= config.bin %> contact verify ada@example.org 42',
    '<%= config.bin %> contact verify --list "Spring fair"',
    '<%= config.bin %> contact verify --search "company:acme created:>30d" --json',
  ];
  static override args = {
    contact: Args.string({ multiple: true, description: 'email address or id of a contact; several may be given' }),
  };
  static override flags = {
    list: Flags.string({ description: 'every contact on a list, by its id or name', helpValue: 'L', exclusive: ['search'] }),
    search: Flags.string({ description: 'every contact that this query finds (docs/smart-search.md)', helpValue: 'QUERY' }),
  };

  async run() {
    const { args, flags } = await this.parse(ContactVerify);
    const chosen = [args.contact, flags.list, flags.search].filter((one) => one !== undefined);
    if (chosen.length !== 1) throw invalid('name the contacts, or pass --list L or --search QUERY');
    const api = await this.client(flags);
    const ids = await chosenIds(api, args.contact ?? [], flags);
    const data: Verified[] = [];
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const verified = await api.verification.verify.mutate({ contact_ids: ids.slice(at, at + BATCH_SIZE) });
      for (const { email, verification } of verified.data)
        if (verification.verdict !== 'ok' || args.contact !== undefined)
          this.logLine(`${verification.verdict.padEnd('unknown'.length)}  ${email}: ${verification.reason}`);
      data.push(...verified.data);
    }
    const count = (verdict: string) => data.filter(({ verification }) => verification.verdict === verdict).length;
    const counts = { ok: count('ok'), risky: count('risky'), bad: count('bad'), unknown: count('unknown') };
    this.log(
      `${quantity(data.length, 'address was', 'addresses were')} checked: ${counts.ok} ok, ${counts.risky} risky, ${counts.bad} bad, ${counts.unknown} unknown.`,
    );
    return { ...counts, data };
  }
}

async function chosenIds(
  api: Api,
  contacts: readonly string[],
  { list, search }: { list?: string | undefined; search?: string | undefined },
) {
  if (search !== undefined) return searchedIds(api, search);
  if (list !== undefined) {
    const list_id = await idOf(api, 'list', list);
    const members = await Array.fromAsync(eachRecord((page) => api.contacts.list.query({ list_id, ...page })));
    return members.map(({ id }) => id);
  }
  const ids: number[] = [];
  for (const contact of contacts) ids.push(await contactIdOf(api, contact));
  return ids;
}
