import { Args } from '@oclif/core';

/** The argument of every command about one campaign. */
export const campaignArgument = Args.string({ required: true, description: 'id or name of the campaign' });
