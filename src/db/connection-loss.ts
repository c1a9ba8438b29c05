import pg from 'pg';

/**
 * True if a query failed because of its connection and not its statement: the connection broke, or the server is shutting down (SQLSTATE
 * 57P01 to 57P03). The statement may or may not have taken effect.
 */
export const isConnectionLost = (error: unknown): boolean => !(error instanceof pg.DatabaseError) || error.code?.startsWith('57P') === true;
