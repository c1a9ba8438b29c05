/** Changes of rotation groups, loaded with the first: lists need a third of it. */
export { activateRotation, addToRotation, createRotation, pauseRotation, removeFromRotation } from '../../campaigns/index.ts';
