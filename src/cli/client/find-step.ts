import { Args } from '@oclif/core';
import { invalid, notFound } from '../../core/errors.ts';
import type { Api } from './api.ts';

/** The argument of every command about one step. */
export const stepArgument = Args.string({ required: true, description: 'number of the step in the sequence, from 1' });

/** A step, as the API shows it. */
export type Step = Awaited<ReturnType<Api['steps']['list']['query']>>['data'][number];

/** Finds a step of a campaign by its number. Throws `invalid_request` for text that is not a number, and `not_found`. */
export async function findStep(api: Api, campaignId: number, text: string): Promise<Step> {
  const order = placeOf(text);
  const { data } = await api.steps.list.query({ id: campaignId });
  const step = data.find(({ step_order }) => step_order === order);
  if (step === undefined) throw notFound(`step ${order}`);
  return step;
}

/** Parses the number of a step in an argument. Throws `invalid_request`. */
export function placeOf(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw invalid(`"${text}" is not the number of a step; give a number from 1`);
  return Number(text);
}
