import type { ActionResult } from '#ui/action-result.ts'
import type { Category, Item, ItemKind, ItemState } from '#catalog/catalog.ts'
import { type ItemFormValues, itemFormFields } from '#catalog/item-fields.ts'
import { recordOf } from '#lib/record-of.ts'
import { type Currency, US_DOLLAR } from '#lib/text/currency.ts'
import { isChosenFile } from '#images/image-upload.ts'
import { decimalAmount, formatMoney } from '#pricing/money.ts'
import { parseMoney } from '#pricing/parse-money.ts'
import {
  itemConflictTexts as texts,
  itemErrorTexts,
  itemFieldTexts,
  itemFormTexts,
} from './texts.ts'

export type { ItemFormValues }
export type ItemField = keyof ItemFormValues | 'images'

/** Every change by a form or a CSV import increases `revision`. */
export type EditedItem = Item & { revision: number }

export type ImageFormValues = { key: string; colors: string[]; isAvailable: boolean }

export type ItemFormResult = ActionResult & {
  typed?: ItemFormValues
  images?: ImageFormValues[]
  revision?: number | null
  filesLost?: boolean
  conflict?: EditedItem
  isGone?: boolean
  lost?: string[]
}

export type ItemActionResult = ActionResult & { deleted?: string; copyId?: string }

export const itemKinds = ['', 'unique', 'made-to-order'] as const satisfies ItemKind[]
export const parseKind = (text: string) => itemKinds.find((kind) => kind === text.trim()) ?? null

const MAX_TEXT_LENGTH = 10_000
export const MAX_LINE_LENGTH = 200

/** A save can list a draft, but changes no other state. [OWN-46] */
export function stateAfterSave(stored: ItemState | null, requested: string | null) {
  if (stored === null) return requested === 'draft' ? 'draft' : 'listed'
  return stored === 'draft' && requested === 'listed' ? 'listed' : stored
}

export function validateItem(
  item: ItemFormValues,
  images: number,
  state: ItemState,
): { field: ItemField; error: string } | null {
  for (const name of itemFormFields) {
    const text = item[name].trim()
    const error = (itemErrorTexts as Partial<Record<ItemField, string>>)[name]
    if (error && isMissing(name, text) && isRequired(name, text, state)) {
      return { field: name, error }
    }
    // `parseFormLenient` and the browser put this character in place of an unreadable one.
    if (text.includes('\uFFFD')) return { field: name, error: itemFormTexts.unreadable }
    const most = name === 'description' ? MAX_TEXT_LENGTH : MAX_LINE_LENGTH
    if (text.length > most) return { field: name, error: itemFormTexts.tooLong(most, text.length) }
  }
  if (parseKind(item.kind) === null) return { field: 'kind', error: itemFormTexts.noKind }
  return images === 0 && state !== 'draft'
    ? { field: 'images', error: itemErrorTexts.images }
    : null
}

const isMissing = (name: keyof ItemFormValues, text: string) =>
  name === 'price' ? !parseMoney(text) : text === ''

/** A draft needs only a name and a category, but a typed price must be valid. */
const isRequired = (name: keyof ItemFormValues, text: string, state: ItemState) =>
  state !== 'draft' ||
  name === 'name' ||
  name === 'categoryId' ||
  (name === 'price' && text !== '' && parseMoney(text) === null)

export const readImages = (form: FormData) =>
  [...new Set(form.getAll('image'))]
    .filter((key) => typeof key === 'string')
    .filter((key) => !form.has(`remove:${key}`))
    .map((key) => ({
      key,
      colors: form.getAll(`color:${key}`).filter((id) => typeof id === 'string'),
      isAvailable: form.has(`available:${key}`),
    }))

export const parseItemForm = (form: FormData) =>
  recordOf(itemFormFields, (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  })

export const parseRevision = (form: FormData, name: 'revision' | 'keep') =>
  form.has(name) ? Number.parseInt(String(form.get(name)), 10) || 0 : null

export const toFormValues = (item: Item | null) =>
  recordOf(itemFormFields, (name) => {
    if (item === null) return ''
    if (name !== 'price') return item[name]
    return item.priceCents === 0 ? '' : decimalAmount(item.priceCents)
  })

export const readFiles = (form: FormData) => form.getAll('files').filter(isChosenFile)

export const differingFields = (yours: ItemFormValues, stored: ItemFormValues) =>
  itemFormFields.filter(
    (name) => comparableValue(yours, name, US_DOLLAR) !== comparableValue(stored, name, US_DOLLAR),
  )

function comparableValue(typed: ItemFormValues, name: keyof ItemFormValues, currency: Currency) {
  const cents = name === 'price' ? parseMoney(typed.price) : null
  return cents === null ? typed[name].trim().replaceAll('\r\n', '\n') : formatMoney(cents, currency)
}

export const toImageFormValues = (item: EditedItem | null) =>
  (item?.images ?? []).map(({ id, colorIds, isAvailable }) => ({
    key: id,
    colors: colorIds,
    isAvailable,
  }))

const imageFingerprint = ({ key, colors, isAvailable }: ImageFormValues) =>
  JSON.stringify([key, [...new Set(colors)].sort(), isAvailable])

export const areSameImages = (
  yours: readonly ImageFormValues[],
  stored: readonly ImageFormValues[],
) => yours.map(imageFingerprint).join() === stored.map(imageFingerprint).join()

export function differences(
  yours: { typed: ItemFormValues; images: readonly ImageFormValues[] },
  item: EditedItem,
  categories: readonly Category[],
  currency: Currency,
) {
  const stored = toFormValues(item)
  const valueText = (typed: ItemFormValues, name: keyof ItemFormValues) => {
    if (name === 'categoryId') {
      return categories.find(({ id }) => id === typed.categoryId)?.title ?? ''
    }
    if (name === 'kind') return itemFormTexts.kinds[parseKind(typed.kind) ?? '']
    return comparableValue(typed, name, currency)
  }
  const fieldDifferences = differingFields(yours.typed, stored).map((name) => ({
    label: itemFieldTexts[name],
    yours: valueText(yours.typed, name),
    stored: valueText(stored, name),
  }))
  const images = toImageFormValues(item)
  if (areSameImages(yours.images, images)) return fieldDifferences
  const imageDifference = {
    label: itemFieldTexts.images,
    yours: describeImages(yours.images, images),
    stored: describeImages(images, yours.images),
  }
  return [...fieldDifferences, imageDifference]
}

function describeImages(images: readonly ImageFormValues[], others: readonly ImageFormValues[]) {
  const count = texts.images(images.length)
  const added = images.filter(({ key }) => !others.some((image) => image.key === key)).length
  if (added > 0) return texts.onlyHere(count, added)
  if (images.length < others.length) return count
  const isInOrder = images.every(({ key }, index) => key === others[index]?.key)
  return isInOrder ? texts.otherColors(count) : texts.otherOrder(count)
}
