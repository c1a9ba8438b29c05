/** The secret of every test installation, in base64url. */
export const TEST_SECRET = 'dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQ';
