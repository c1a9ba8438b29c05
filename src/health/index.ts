export type { Check } from './check.ts';
export { checkDueAccounts, checkHealth } from './check-accounts.ts';
export { keepDomainReport, pruneDomainReports } from './domain-reports.ts';
export { examineAccount, type Outside, outsideWith } from './examine-account.ts';
export { readFacts } from './facts.ts';
export { type AccountHealth, getHealth } from './read-health.ts';
