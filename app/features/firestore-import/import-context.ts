/** What the readers of documents share: the rows that they fill, and what they ask. */
import type { Insertable } from 'kysely'
import type { Tables } from '#db/schema.ts'
import type { Collection, Note, ReportIssue } from './documents.ts'
import type { FieldReader } from './field-reader.ts'

/** The tables that an import fills, in the order in which rows refer to each other. */
export const importedTables = [
  ...(['user', 'categories', 'colors', 'items', 'itemPictures', 'itemPictureColors', 'showcase', 'favourites'] as const),
  ...(['orders', 'orderItems', 'messages', 'readMarks', 'reminders', 'sales', 'testimonies', 'testimonyItems'] as const),
]
export type Rows = { [Table in (typeof importedTables)[number]]: Insertable<Tables[Table]>[] }
export const noRows = () => Object.fromEntries(importedTables.map((table) => [table, []])) as unknown as Rows

export type ImportContext = {
  rows: Rows
  /** whether the shop has the document, or the export brings it */
  has: (collection: 'category' | 'colors', id: string) => boolean
  /** how many categories there will be */
  categories: number
  /** id of the stored picture by its address in the documents; null: it was not brought along */
  image: (url: string) => string | null
  /** a free id for a picture's place in an item; `wanted` where that is free */
  imagePlaceId: (wanted: string) => string
  /** the hosted shop's owner under her id here; everybody else as they are */
  uid: (uid: string) => string
  hasAccount: (uid: string) => boolean
  /** of two uids with one e-mail: the one that has the account */
  accountOf: (uid: string) => string
  hasItem: (id: string) => boolean
  hasFavorite: (userId: string, itemId: string) => boolean
  now: number
}

export type Reading = { id: string; reader: FieldReader; note: Note; report: ReportIssue; context: ImportContext; place: number }
/** Adds the rows of a document; false: it cannot be kept, which was noted. */
export type ReadInto = (reading: Reading) => boolean

/** `idHere`: the id under which the document is kept. */
export type Step = { collection: Collection; read: ReadInto; idHere?: (id: string) => string }
