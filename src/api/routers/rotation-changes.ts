/** Changes to rotation groups. Loaded on the first change: listing groups needs only a third of this code. */
export { activateRotation, addToRotation, createRotation, pauseRotation, removeFromRotation } from '../../campaigns/index.ts';
