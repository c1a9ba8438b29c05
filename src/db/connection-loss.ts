import pg from 'pg';

/**
 * True when an error of a query is the connection's and not the statement's: it broke, or the server is shutting down
 * (SQLSTATE 57P01 to 57P03). The statement may have taken effect or not.
 */
export const isConnectionLost = (error: unknown): boolean => !(error instanceof pg.DatabaseError) || error.code?.startsWith('57P') === true;
