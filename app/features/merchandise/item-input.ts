/** The item form: its fields, its checks in their order, its texts. */
import type { Answer } from '#app/ui/answer.ts'
import { parseMoney, type Cents } from '#app/features/money/money.ts'

export type ItemField = 'name' | 'categoryId' | 'price' | 'description' | 'images'
export type TypedItem = {
  name: string
  categoryId: string
  price: string
  description: string
  width: string
  soleType: string
  size: string
}

/** An answer that brings back what was typed, for a page without script. */
export type ItemRefused = Answer & { typed?: TypedItem }

/** MERCH-23 to MERCH-27 */
export const itemCheckTexts: Record<ItemField, string> = {
  name: 'Please Enter Item Name',
  categoryId: 'Please Select a Category',
  price: 'Please Enter a Valid Price',
  description: 'Please Dont Leave Description Blank',
  images: 'Please Add Atleast 1 Image for the Item',
}

export const REQUIRED_HINT = 'Properties with * are required'

/** MERCH-38 to MERCH-45 */
export const itemTexts = {
  formReset: 'Form Reset!',
  added: 'Item Successfully Added!',
  updated: 'Item Successfully Updated!',
  deleted: 'Deleted Item Successfully!',
  deleteCancelled: 'Cancelled Deleting Item',
  deleteFailed: 'An Error Occured while Deleting Item...',
  uploadFailed: 'An Error Occured while Uploading Image...',
  failed: 'An Error Occured! Please contact your Provider...',
} as const

/** MERCH-44, S-094 */
export const saveFailed = (urls: readonly string[]): string =>
  `An Error Occured while Uploading Data... Please ask provider to delete: ${urls.join(', ')}`

/** Prices are at most $9,999,999.99: integer cents that every database holds. */
const isPrice = (cents: Cents | null): cents is Cents => cents !== null && cents > 0
export const LONGEST_TEXT = 10_000
export const LONGEST_LINE = 200

/** MERCH-22, S-036: name, category, price, description, images; the first that fails. */
export function refuseItem(item: TypedItem, images: number): { field: ItemField; error: string } | null {
  const refuse = (field: ItemField, error = itemCheckTexts[field]) => ({ field, error })
  if (item.name.trim() === '') return refuse('name')
  if (item.name.length > LONGEST_LINE) return refuse('name', `At most ${LONGEST_LINE} characters`)
  if (item.categoryId === '') return refuse('categoryId')
  if (!isPrice(parseMoney(item.price))) return refuse('price')
  if (item.description.trim() === '') return refuse('description')
  if (item.description.length > LONGEST_TEXT) return refuse('description', `At most ${LONGEST_TEXT} characters`)
  if (images === 0) return refuse('images')
  return null
}

/** One image as the form sends it: `key` is that of a stored image or of an upload. */
export type TypedImage = { key: string; colors: string[]; isAvailable: boolean }

/** The images in the order of the form; those marked for removal are left out. */
export const readImages = (form: FormData): TypedImage[] =>
  [...new Set(form.getAll('picture'))]
    .filter((key) => typeof key === 'string')
    .filter((key) => !form.has(`remove:${key}`))
    .map((key) => ({
      key,
      colors: form.getAll(`color:${key}`).filter((id) => typeof id === 'string'),
      isAvailable: form.has(`available:${key}`),
    }))

export function readTypedItem(form: FormData): TypedItem {
  const text = (name: keyof TypedItem) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  return {
    name: text('name'),
    categoryId: text('categoryId'),
    price: text('price'),
    description: text('description'),
    width: text('width'),
    soleType: text('soleType'),
    size: text('size'),
  }
}

/** Files that came with the form itself; an empty field sends one without a name. */
export const readFiles = (form: FormData): File[] =>
  form.getAll('files').filter((file) => file instanceof File && (file.size > 0 || file.name !== '')) as File[]
