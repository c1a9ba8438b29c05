export { ACCOUNT_SETTINGS, type AccountSettings } from './account-settings.ts';
