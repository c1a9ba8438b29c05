import { Migration } from '@mikro-orm/migrations';

/**
 * Takes the reference to the campaign off the counters by domain: most emails add a row or two there, each of which looked the campaign
 * up. Campaigns are never deleted, and counters are written for events alone, which refer to theirs.
 */
export class DomainCountsAlone0085 extends Migration {
  override up(): void {
    this.addSql(/* sql */ 'alter table domain_counts drop constraint domain_counts_campaign_id_fkey');
  }

  override down(): void {
    this.addSql(
      /* sql */ 'alter table domain_counts add constraint domain_counts_campaign_id_fkey foreign key (campaign_id) references campaigns',
    );
  }
}
