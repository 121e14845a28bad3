/** Moving a shop: the collections of a Firestore export, what an import found odd, and the words in which it says so. */

/** Section 3's collections in the order in which they are read, then what this shop's own export adds (022). */
export const collections = [
  'accounts',
  'category',
  'colors',
  'items',
  'showcase',
  'users',
  'orders',
  'sales',
  'testimony',
  'invoices',
  'requests',
  'settings',
  'replies',
  'shop',
] as const
export type Collection = (typeof collections)[number]
export const isCollection = (name: string): name is Collection => (collections as readonly string[]).includes(name)

/** A document as it stands in the file: anything may be missing, anything may be odd (S-128). */
export type Fields = Record<string, unknown>
export type FoundDocument = { id: string; fields: Fields }

/** One thing that is not as it should be: where it stands, what was found, and what was made of it. */
export type Finding = { where: string; field: string; what: string; done: string }
/** Takes a finding about one document. */
export type Note = (field: string, what: string, done: string) => void

/** The shape of our own export. */
export const FORMAT = 1
/** Items of a category that is not among the categories stand here (022). */
export const UNSORTED = { id: 'unsorted', title: 'Unsorted', color: '#8a8078' }

/** Reports go to a terminal: no character of the file may command it, and no line may run on for ever. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value))
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

export const findingLine = ({ where, field, what, done }: Finding): string => `${where}${field && `/${field}`}: ${what}; ${done}`

/** Any value of a document as a word; String() of a map that has a field toString would throw. */
export const wordOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
