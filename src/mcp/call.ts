/** Calls a procedure by its name in the router. Throws what the API throws. */
export type Call = (type: 'query' | 'mutation', procedure: string, input: object) => Promise<unknown>;
