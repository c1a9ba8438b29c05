export { ACCOUNT_SETTINGS, DETAIL_SETTINGS } from './account-settings.ts';
