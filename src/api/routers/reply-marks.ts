/** Labels and other marks of replies. Loaded on the first change: they need neither the classifier nor code that writes emails. */
export { changeReply } from '../../replies/index.ts';
