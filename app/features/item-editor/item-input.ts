import type { Answer } from '#app/ui/answer.ts'
import type { Category, Item, ItemTextColumn } from '#app/features/catalog/catalog.ts'
import { decimalAmount, formatMoney, parseMoney } from '#app/features/pricing/money.ts'

export type TypedItem = Record<ItemTextColumn | 'categoryId' | 'price', string>
type OptionalField = 'width' | 'soleType' | 'size'
export type ItemField = keyof TypedItem | 'images'

/** An item as the form was loaded with it; `revision` rises with each change by a form or a table (018). */
export type EditedItem = Item & { revision: number }

export type ItemRefused = Answer & {
  typed?: TypedItem
  images?: TypedImage[]
  revision?: number | null
  filesLost?: boolean
  /** what is stored, where it was changed since the form was loaded */
  conflict?: EditedItem
  isGone?: boolean
  lost?: string[]
}

export const itemCheckTexts: Record<Exclude<ItemField, OptionalField>, string> = {
  name: 'Please Enter Item Name',
  categoryId: 'Please Select a Category',
  price: 'Please Enter a Valid Price',
  description: 'Please Dont Leave Description Blank',
  images: 'Please Add Atleast 1 Image for the Item',
}

export const REQUIRED_HINT = 'Properties with * are required'

export const itemTexts = {
  formReset: 'Form Reset!',
  added: 'Item Successfully Added!',
  updated: 'Item Successfully Updated!',
  deleted: 'Deleted Item Successfully!',
  deleteCancelled: 'Cancelled Deleting Item',
  deleteFailed: 'An Error Occured while Deleting Item...',
  uploadFailed: 'An Error Occured while Uploading Image...',
  failed: 'An Error Occured! Please contact your Provider...',
  conflict: 'This item was changed meanwhile. Nothing is saved yet.',
  gone: 'This item was deleted meanwhile. Nothing is saved yet.',
  uploadsLost: 'Some images were no longer in the shop. They are sent again.',
  uploadLost: 'This image is no longer in the shop. Please choose it again.',
} as const

export const saveFailed = (urls: readonly string[]): string =>
  `An Error Occured while Uploading Data... Please ask provider to delete: ${urls.join(', ')}`

/** In the order of their checks; those after the description are optional (MERCH-15 to MERCH-17). */
const fields: readonly { name: keyof TypedItem; label: string }[] = [
  { name: 'name', label: 'Name' },
  { name: 'categoryId', label: 'Category' },
  { name: 'price', label: 'Price' },
  { name: 'description', label: 'Description' },
  { name: 'width', label: 'Width' },
  { name: 'soleType', label: 'Sole type' },
  { name: 'size', label: 'Size' },
]
export const optionalFields = fields.slice(4)

const LONGEST_TEXT = 10_000
const LONGEST_LINE = 200

/** Prices are at most $9,999,999.99: integer cents that every database holds. */
const isMissing = (name: keyof TypedItem, text: string): boolean => (name === 'price' ? !parseMoney(text) : text === '')

/** MERCH-22, S-036: name, category, price, description, images; the first that fails. */
export function refuseItem(item: TypedItem, images: number): { field: ItemField; error: string } | null {
  for (const { name } of fields) {
    const text = item[name].trim()
    const error = (itemCheckTexts as Partial<Record<ItemField, string>>)[name]
    if (error && isMissing(name, text)) return { field: name, error }
    const most = name === 'description' ? LONGEST_TEXT : LONGEST_LINE
    if (text.length > most) return { field: name, error: `Please Use at Most ${most} Characters (now ${text.length})` }
  }
  return images === 0 ? { field: 'images', error: itemCheckTexts.images } : null
}

export type TypedImage = { key: string; colors: string[]; isAvailable: boolean }

export const readImages = (form: FormData): TypedImage[] =>
  [...new Set(form.getAll('picture'))]
    .filter((key) => typeof key === 'string')
    .filter((key) => !form.has(`remove:${key}`))
    .map((key) => ({
      key,
      colors: form.getAll(`color:${key}`).filter((id) => typeof id === 'string'),
      isAvailable: form.has(`available:${key}`),
    }))

const typedItem = (read: (name: keyof TypedItem) => string): TypedItem =>
  Object.fromEntries(fields.map(({ name }) => [name, read(name)])) as TypedItem

export const readTypedItem = (form: FormData): TypedItem =>
  typedItem((name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  })

export const readRevision = (form: FormData, name: 'revision' | 'keep'): number | null =>
  form.has(name) ? Number.parseInt(String(form.get(name)), 10) || 0 : null

export const typedOf = (item: Item | null): TypedItem =>
  typedItem((name) => (item === null ? '' : name === 'price' ? decimalAmount(item.priceCents) : item[name]))

/** Files that came with the form itself; an empty field sends one without a name. */
export const readFiles = (form: FormData): File[] =>
  form.getAll('files').filter((file) => file instanceof File && (file.size > 0 || file.name !== '')) as File[]

export type Difference = { label: string; yours: string; stored: string }

/** Blanks around a text and the way in which a price is written are no difference. */
function meaning(typed: TypedItem, name: keyof TypedItem): string {
  const cents = name === 'price' ? parseMoney(typed.price) : null
  return cents === null ? typed[name].trim().replaceAll('\r\n', '\n') : formatMoney(cents)
}

export const differingFields = (yours: TypedItem, stored: TypedItem) =>
  fields.filter(({ name }) => meaning(yours, name) !== meaning(stored, name))

export const imagesOf = (item: EditedItem | null): TypedImage[] =>
  (item?.pictures ?? []).map(({ id, colorIds, isAvailable }) => ({ key: id, colors: colorIds, isAvailable }))

const marks = ({ key, colors, isAvailable }: TypedImage) => JSON.stringify([key, [...new Set(colors)].sort(), isAvailable])

export const areSameImages = (yours: readonly TypedImage[], stored: readonly TypedImage[]): boolean =>
  yours.map(marks).join() === stored.map(marks).join()

export function differences(
  yours: { typed: TypedItem; images: readonly TypedImage[] },
  item: EditedItem,
  categories: readonly Category[],
): Difference[] {
  const stored = typedOf(item)
  const shown = (typed: TypedItem, name: keyof TypedItem) =>
    name === 'categoryId' ? (categories.find(({ id }) => id === typed.categoryId)?.title ?? '') : meaning(typed, name)
  const found = differingFields(yours.typed, stored).map(({ name, label }) => ({
    label,
    yours: shown(yours.typed, name),
    stored: shown(stored, name),
  }))
  const images = imagesOf(item)
  return areSameImages(yours.images, images) ? found : [...found, imagesDiffer(yours.images, images)]
}

function imagesDiffer(yours: readonly TypedImage[], stored: readonly TypedImage[]): Difference {
  const tell = (images: readonly TypedImage[], others: readonly TypedImage[]): string => {
    const count = images.length === 1 ? '1 image' : `${images.length} images`
    const own = images.filter(({ key }) => !others.some((other) => other.key === key)).length
    if (own > 0) return `${count}, ${own} of them only here`
    if (images.length < others.length) return count
    const isInOrder = images.every(({ key }, at) => key === others[at]?.key)
    return `${count}, ${isInOrder ? 'with other colors or availability' : 'in another order'}`
  }
  return { label: 'Images', yours: tell(yours, stored), stored: tell(stored, yours) }
}
