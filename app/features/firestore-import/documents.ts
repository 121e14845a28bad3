/** The documents of a Firestore export, what their readers fill and ask, and the words in which the report says what was odd (053). */
import type { Insertable } from 'kysely'
import type { Tables } from '#db/schema.ts'
import type { FieldReader } from './field-reader.ts'

/** Section 3's collections, in the order in which they are imported: those that others refer to come first. */
export const collections = ['category', 'colors', 'items', 'showcase', 'users', 'orders', 'sales', 'testimony'] as const
export type Collection = (typeof collections)[number]
export const isCollection = (name: string): name is Collection => (collections as readonly string[]).includes(name)

/** Fields as they are in the file: anything may be missing or of any type (S-128). */
export type Fields = Record<string, unknown>
/** By collection and id, in the order of the file */
export type Documents = Record<Collection, Map<string, Fields>>

/** One thing that is not as it should be: where it is, what was found, and what was done with it. */
export type Issue = { where: string; field: string; what: string; done: string }
export type ReportIssue = (issue: Issue) => void
/** Reports an issue of one document. */
export type Note = (field: string, what: string, done: string) => void

/** The tables that an import fills, in the order in which rows refer to each other. */
export const importedTables = [
  ...(['user', 'categories', 'colors', 'items', 'itemPictures', 'itemPictureColors', 'showcase', 'favourites'] as const),
  ...(['orders', 'orderItems', 'messages', 'readMarks', 'reminders', 'sales', 'testimonies', 'testimonyItems'] as const),
]
export type Rows = { [Table in (typeof importedTables)[number]]: Insertable<Tables[Table]>[] }

export type ImportContext = {
  rows: Rows
  /** without those that were not taken */
  documents: Documents
  /** ids of the stored pictures by their address in the documents */
  images: ReadonlyMap<string, string>
  /** the hosted shop's owner under her id here; everybody else as they are */
  uid: (uid: string) => string
  hasAccount: (uid: string) => boolean
  /** of two uids with one e-mail: the one that has the account */
  accountOf: (uid: string) => string
  now: number
}

/** Adds the rows of a document; false: it cannot be kept, which was noted. `place`: its position in the collection. */
export type ReadInto = (reading: { id: string; reader: FieldReader; note: Note; context: ImportContext; place: number }) => boolean

/** Items of a category that is not among the categories get this one. */
export const UNSORTED = { id: 'unsorted', title: 'Unsorted', color: '#8a8078' }

export const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value for the report, which goes to a terminal: no control characters, and at most 120 letters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

/** Any value as a text; String() of a map that has a field toString would throw. */
export const wordOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
