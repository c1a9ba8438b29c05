import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Api } from './connection.ts';
import type { People } from './reply-actions.ts';
import { ReplyBook, type ReplyFilter, type ReplyPages, replyAt, selectedNow } from './reply-book.ts';
import type { KnownReplies } from './ui.ts';

/** The loaded replies, and the users to assign them to. */
export interface Replies {
  book: ReplyBook;
  pages: ReplyPages;
  known: KnownReplies;
}

/** Loads the replies that match a filter, and the users to whom they can be assigned. */
export function useReplies(api: Api, filter: ReplyFilter): Replies {
  const book = useMemo(() => new ReplyBook(api), [api]);
  const pages = useSyncExternalStore(book.subscribe, book.snapshot);
  const people = usePeople(api);
  useEffect(() => book.find(filter), [book, filter]);
  return {
    book,
    pages,
    known: { total: pages.total, at: (index) => replyAt(pages, index), selectedNow: (selected) => selectedNow(pages, selected), people },
  };
}

function usePeople(api: Api): People {
  const [people, setPeople] = useState<People>({ me: null, users: [] });
  useEffect(() => {
    // Only admins may list users; others can assign a reply to themselves.
    Promise.allSettled([api.access.me.query({}), api.users.list.query({})]).then(([me, users]) =>
      setPeople({ me: me.status === 'fulfilled' ? me.value.user_id : null, users: users.status === 'fulfilled' ? users.value.data : [] }),
    );
  }, [api]);
  return people;
}
