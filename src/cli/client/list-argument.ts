import { Args } from '@oclif/core';

/** The argument of every command about one list. */
export const listArgument = Args.string({ required: true, description: 'id or name of the list' });
