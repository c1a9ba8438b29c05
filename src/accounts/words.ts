import { OAUTH_PROVIDERS } from '../oauth/index.ts';

export const PROVIDERS = ['smtp', ...OAUTH_PROVIDERS] as const;
export type Provider = (typeof PROVIDERS)[number];

export const ACCOUNT_STATUSES = ['active', 'paused', 'disconnected'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const PAUSE_REASONS = ['manual', 'provider_limit', 'provider_error'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** The health of an account: `watch` needs a person's attention; with `stop`, no more email should be sent until it is fixed. */
export const HEALTH_WORDS = ['good', 'watch', 'stop'] as const;
export type HealthWord = (typeof HEALTH_WORDS)[number];
