/** Work that occupies a place. */
export interface Placed {
  id: number;
  workspaceId: number;
}

/** The places that are free for more work, and for whom. */
export interface Room {
  /** Most that may be begun now: half of the free places, so that some stay free for whoever comes next. */
  most: number;
  /** Most for a workspace that has no place yet. */
  each: number;
  /** Most for the workspaces that have places. */
  left: ReadonlyMap<number, number>;
  /** Work that occupies a place, or rests after a failure, and is not begun again. */
  except: readonly number[];
}

/**
 * Shares places: a workspace may take half of those that the others leave. So a single one has half of all, however much work it has and however
 * long its servers take, and whoever comes next finds a place.
 * @param places number of places, taken or free
 * @param except ids of work that must not be begun beside what is running
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
