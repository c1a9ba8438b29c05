export { ACCOUNT_SETTINGS } from './account-settings.ts';
