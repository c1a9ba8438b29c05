/** Work that occupies a place. */
export interface Placed {
  id: number;
  workspaceId: number;
}

/** The places that are free for more work, in all and for each workspace. */
export interface Room {
  /** Maximum to begin now: half of the free places, so that some stay free for the next workspace. */
  most: number;
  /** Maximum for a workspace that has no place yet. */
  each: number;
  /** Maximum for each workspace that already has places. */
  left: ReadonlyMap<number, number>;
  /** Ids of work that occupies a place, or rests after a failure, and must not begin again. */
  except: readonly number[];
}

/**
 * Shares places: a workspace may take half of those that the others leave. So a single workspace gets half of all places, however much work
 * it has and however slow its servers are, and the next one still finds a place.
 * @param places number of places, taken or free
 * @param except ids of more work that must not begin, besides what is running
 */
export function roomFor(places: number, running: Iterable<Placed> = [], except: readonly number[] = []): Room {
  const all = [...running];
  const free = places - all.length;
  const share = (own: number) => Math.max(1, Math.floor((free + own) / 2)) - own;
  const owned = new Map<number, number>();
  for (const { workspaceId } of all) owned.set(workspaceId, (owned.get(workspaceId) ?? 0) + 1);
  return {
    most: Math.ceil(free / 2),
    each: share(0),
    left: new Map([...owned].map(([workspaceId, own]) => [workspaceId, Math.max(0, share(own))])),
    except: [...all.map(({ id }) => id), ...except],
  };
}
