/** Accounts, favourites, conversations, sales and testimonies of an export, into the tables. */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { FavouriteTable } from '#db/tables.ts'
import type { Account, Plan } from './accounts-plan.ts'
import { moveEach, type Put } from './import-rows.server.ts'
import { readMoment } from './moment.ts'
import {
  readFavourites,
  readOrder,
  readRequest,
  readSale,
  readTestimony,
  type People,
  type ReadOrder,
  type ReadTestimony,
} from './read-people.ts'
import { shown, type Collection, type FoundDocument } from './moving.ts'
import type { Report } from './report.server.ts'
import type { Spool } from './spool.server.ts'

export type MovePeople = {
  spool: Spool
  report: Report
  put: Put
  plan: Plan
  /** uids with an account in the shop before the import */
  accounts: ReadonlySet<string>
  there: Record<'orders' | 'sales' | 'requests' | 'testimonies', ReadonlySet<string>>
  favourites: (uid: string, itemId: string) => boolean
  /** tags of testimonies that the shop has already */
  tags: ReadonlySet<string>
  itemIds: ReadonlySet<string>
  uid: (uid: string) => string
  /** id of a message's picture by its address in the export; null: it was not brought along */
  picture: (url: string) => string | null
  now: number
}

/** The library's columns: dates and booleans are bound in each database's own way. */
const userRow = ({ createdAt, ...account }: Account) => ({ ...account, createdAt: new Date(createdAt), updatedAt: new Date(createdAt) })

export async function movePeople(move: MovePeople): Promise<void> {
  const { spool, report, put, plan, uid, now } = move
  const hasAccount = (id: string) => plan.accounts.has(id) || move.accounts.has(id)
  const people: People = { uid, hasAccount, picture: move.picture, now }
  report.count('accounts', { found: plan.accounts.size, taken: plan.accounts.size })
  await put('user', [...plan.accounts.values()].map(userRow))
  await moveFavourites(move, hasAccount)
  const putOrders = async (read: ReadOrder[]) => {
    await put(
      'orders',
      read.map(({ row }) => row),
    )
    await put(
      'orderItems',
      read.flatMap(({ items }) => items),
    )
    await put(
      'messages',
      read.flatMap(({ messages }) => messages),
    )
    await put(
      'messagePictures',
      read.flatMap(({ pictures }) => pictures),
    )
    await put(
      'readMarks',
      read.flatMap(({ marks }) => marks),
    )
    // 027: what was unread in the old shop is told by no letter of this one.
    await put(
      'reminders',
      read.flatMap(({ row: { id, userId, lastSeq } }) =>
        [...new Set([ADMIN_ID, userId])].flatMap((reader) =>
          reader === null ? [] : [{ orderId: id, reader, seq: lastSeq, at: now, letterId: '' }],
        ),
      ),
    )
  }
  await moveEach(spool, report, {
    collection: 'orders',
    there: move.there.orders,
    idOf: uid,
    read: (document, note) => readOrder(document, note, people),
    put: putOrders,
  })
  await moveLooseConversations(move, people, putOrders)
  await moveEach(spool, report, {
    collection: 'sales',
    there: move.there.sales,
    read: (document, note) => readSale(document, note, people),
    put: (rows) => put('sales', rows),
  })
  await moveEach(spool, report, {
    collection: 'requests',
    there: move.there.requests,
    read: (document, note) => readRequest(document, note, people),
    put: (rows) => put('requests', rows),
  })
  const tags = new Set(move.tags)
  await moveEach<ReadTestimony>(spool, report, {
    collection: 'testimony',
    there: move.there.testimonies,
    read(document, note) {
      const read = readTestimony(document, note, people)
      const { receiptTag } = read.row
      if (receiptTag === null || !tags.has(receiptTag)) {
        if (receiptTag !== null) tags.add(receiptTag)
        return read
      }
      note('shop.receiptTag', `${shown(receiptTag)} has a testimony already`, 'kept without')
      return { ...read, row: { ...read.row, receiptTag: null } }
    },
    async put(read) {
      await put(
        'testimonies',
        read.map(({ row }) => row),
      )
      await put(
        'testimonyItems',
        read.flatMap(({ items }) => items),
      )
    },
  })
}

/** DATA-002, DATA-003; of two accounts with one e-mail the first gets both lists. */
async function moveFavourites(
  { spool, report, put, plan, uid, itemIds, favourites, now }: MovePeople,
  hasAccount: (id: string) => boolean,
) {
  const seen = new Set<string>()
  await moveEach<FavouriteTable[]>(spool, report, {
    collection: 'users',
    there: new Set(),
    read(document, note) {
      const found = readFavourites(document, note)
      const own = uid(document.id)
      const userId = plan.sameAs.get(own) ?? own
      if (found.itemIds.length > 0 && !hasAccount(userId)) {
        note(
          'favItems',
          'no e-mail of this person is known',
          'NOT TAKEN: nobody could sign in to see them (a file of --accounts may know the e-mail)',
        )
        return null
      }
      return found.itemIds.flatMap((itemId, index) => {
        if (!itemIds.has(itemId)) {
          note('favItems', `${shown(itemId)} is no item`, 'not taken')
          return []
        }
        const key = JSON.stringify([userId, itemId])
        if (seen.has(key) || favourites(userId, itemId)) return []
        seen.add(key)
        return [{ userId, itemId, createdAt: readMoment(found.times[index])?.ms ?? now - index }]
      })
    },
    put: (read) => put('favourites', read.flat()),
  })
}

/** Users from the contact page whose messages stand in no conversation (DATA-004 to DATA-010): what they wrote is not lost. */
async function moveLooseConversations(
  { spool, report, there, uid }: MovePeople,
  people: People,
  put: (read: ReadOrder[]) => Promise<void>,
) {
  const loose = new Set<string>()
  for (const { id, fields } of spool.read('users')) {
    const isLoose = fields.fromContactPage === true && Array.isArray(fields.messages) && fields.messages.length > 0
    if (isLoose && !spool.has('orders', id) && !there.orders.has(uid(id))) loose.add(id)
  }
  if (loose.size === 0) return
  const only = {
    ...spool,
    *read(collection: Collection): Generator<FoundDocument> {
      for (const document of spool.read(collection)) if (loose.has(document.id)) yield document
    },
  }
  await moveEach(
    only,
    { ...report, count: () => {} },
    {
      collection: 'users',
      there: new Set(),
      read(document, note) {
        note('messages', 'no conversation holds them', 'a conversation was made of them')
        return readOrder(document, note, people)
      },
      put,
    },
  )
}
