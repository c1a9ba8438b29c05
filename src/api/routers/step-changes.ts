/** Changes to steps. Loaded on the first change, because reading steps needs neither HTML nor enrolments. */
export { addStep, changeStep, deleteStep, moveStep } from '../../campaigns/index.ts';
