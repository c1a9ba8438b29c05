/** Changes of steps, loaded with the first: whoever reads them needs neither HTML nor enrolments. */
export { addStep, changeStep, deleteStep, moveStep } from '../../campaigns/index.ts';
