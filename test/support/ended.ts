/** Returns a function that counts the requests that have been answered. */
export function endedOf(requests: readonly Promise<unknown>[]): () => number {
  let ended = 0;
  for (const request of requests) void request.then(() => ended++);
  return () => ended;
}
