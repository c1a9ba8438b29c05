export type { Check } from './check.ts';
export { type AccountHealth, checkDueAccounts, checkHealth, getHealth } from './check-accounts.ts';
export { keepDomainReport, pruneDomainReports } from './domain-reports.ts';
export { examineAccount, type Outside, outsideWith } from './examine-account.ts';
export { readFacts } from './facts.ts';
