import type { ActionResult } from '#app/ui/action-result.ts'
import type {
  Category,
  Item,
  ItemKind,
  ItemState,
  ItemTextColumn,
} from '#app/features/catalog/catalog.ts'
import { type Currency, US_DOLLAR } from '#app/lib/text/currency.ts'
import { decimalAmount, formatMoney, parseMoney } from '#app/features/pricing/money.ts'
import {
  itemConflictTexts as texts,
  itemErrorTexts,
  itemFieldTexts,
  itemFormTexts,
} from './texts.ts'

export type ItemFormValues = Record<ItemTextColumn | 'categoryId' | 'price' | 'kind', string>
export type ItemField = keyof ItemFormValues | 'images'

/** The `revision` increases whenever a form or a CSV import changes the item. */
export type EditedItem = Item & { revision: number }

export type ItemFormResult = ActionResult & {
  typed?: ItemFormValues
  images?: ImageFormValues[]
  revision?: number | null
  filesLost?: boolean
  /** The stored item; missing if no other form has changed the item since this form was loaded. */
  conflict?: EditedItem
  isGone?: boolean
  lost?: string[]
}

/** The names of the fields in the sequence in which the shop checks them. The fields after the description are optional. [MERCH-15 to MERCH-17] */
const fieldNames = [
  'name',
  'categoryId',
  'price',
  'description',
  'width',
  'soleType',
  'size',
  'kind',
] as const
const fields = fieldNames.map((name) => ({ name, label: itemFieldTexts[name] }))
export const optionalFields = fields.slice(4, -1)

export const itemKinds = ['', 'unique', 'made-to-order'] as const satisfies ItemKind[]
export const parseKind = (text: string): ItemKind | null =>
  itemKinds.find((kind) => kind === text.trim()) ?? null

const MAX_TEXT_LENGTH = 10_000
export const MAX_LINE_LENGTH = 200

/** A price counts as missing if it is invalid, zero or above $9,999,999.99. */
const isMissing = (name: keyof ItemFormValues, text: string): boolean =>
  name === 'price' ? !parseMoney(text) : text === ''

/** A draft needs only a name and a category. If the owner types a price, it must be valid. [OWN-133] */
const isRequired = (name: keyof ItemFormValues, text: string, state: ItemState): boolean =>
  state !== 'draft' ||
  name === 'name' ||
  name === 'categoryId' ||
  (name === 'price' && text !== '' && parseMoney(text) === null)

/** The buttons of the form may publish a draft, or add a new item as a draft. The state of other items does not change. [OWN-46] */
export function stateAfterSave(stored: ItemState | null, requested: string | null): ItemState {
  if (stored === null) return requested === 'draft' ? 'draft' : 'listed'
  return stored === 'draft' && requested === 'listed' ? 'listed' : stored
}

/** Checks name, category, price, description and images in this order, and returns the first error. [MERCH-22, S-036, S-294, OWN-133] */
export function validateItem(
  item: ItemFormValues,
  images: number,
  state: ItemState = 'listed',
): { field: ItemField; error: string } | null {
  for (const { name } of fields) {
    const text = item[name].trim()
    const error = (itemErrorTexts as Partial<Record<ItemField, string>>)[name]
    if (error && isMissing(name, text) && isRequired(name, text, state))
      return { field: name, error }
    // `parseFormLenient` and the browser replace an incomplete emoji with this character.
    if (text.includes('\uFFFD')) return { field: name, error: itemFormTexts.unreadable }
    const most = name === 'description' ? MAX_TEXT_LENGTH : MAX_LINE_LENGTH
    if (text.length > most) return { field: name, error: itemFormTexts.tooLong(most, text.length) }
  }
  if (parseKind(item.kind) === null) return { field: 'kind', error: itemFormTexts.noKind }
  return images === 0 && state !== 'draft'
    ? { field: 'images', error: itemErrorTexts.images }
    : null
}

export type ImageFormValues = { key: string; colors: string[]; isAvailable: boolean }

export const readImages = (form: FormData): ImageFormValues[] =>
  [...new Set(form.getAll('picture'))]
    .filter((key) => typeof key === 'string')
    .filter((key) => !form.has(`remove:${key}`))
    .map((key) => ({
      key,
      colors: form.getAll(`color:${key}`).filter((id) => typeof id === 'string'),
      isAvailable: form.has(`available:${key}`),
    }))

const mapItemFields = (read: (name: keyof ItemFormValues) => string): ItemFormValues =>
  Object.fromEntries(fields.map(({ name }) => [name, read(name)])) as ItemFormValues

export const parseItemForm = (form: FormData): ItemFormValues =>
  mapItemFields((name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  })

export const parseRevision = (form: FormData, name: 'revision' | 'keep'): number | null =>
  form.has(name) ? Number.parseInt(String(form.get(name)), 10) || 0 : null

export const toFormValues = (item: Item | null): ItemFormValues =>
  mapItemFields((name) =>
    item === null
      ? ''
      : name === 'price'
        ? item.priceCents === 0
          ? ''
          : decimalAmount(item.priceCents)
        : item[name],
  )

/** Returns the files of a form that was sent without JavaScript. For an empty file field, such a form contains a file without a name. */
export const readFiles = (form: FormData): File[] =>
  form
    .getAll('files')
    .filter((file) => file instanceof File && (file.size > 0 || file.name !== '')) as File[]

export type Difference = { label: string; yours: string; stored: string }

/** Returns the value without surrounding spaces. Equal prices are returned in the same notation. */
function comparableValue(
  typed: ItemFormValues,
  name: keyof ItemFormValues,
  currency: Currency,
): string {
  const cents = name === 'price' ? parseMoney(typed.price) : null
  return cents === null ? typed[name].trim().replaceAll('\r\n', '\n') : formatMoney(cents, currency)
}

export const differingFields = (yours: ItemFormValues, stored: ItemFormValues) =>
  fields.filter(
    ({ name }) =>
      comparableValue(yours, name, US_DOLLAR) !== comparableValue(stored, name, US_DOLLAR),
  )

export const toImageFormValues = (item: EditedItem | null): ImageFormValues[] =>
  (item?.pictures ?? []).map(({ id, colorIds, isAvailable }) => ({
    key: id,
    colors: colorIds,
    isAvailable,
  }))

const imageFingerprint = ({ key, colors, isAvailable }: ImageFormValues) =>
  JSON.stringify([key, [...new Set(colors)].sort(), isAvailable])

export const areSameImages = (
  yours: readonly ImageFormValues[],
  stored: readonly ImageFormValues[],
): boolean => yours.map(imageFingerprint).join() === stored.map(imageFingerprint).join()

export function differences(
  yours: { typed: ItemFormValues; images: readonly ImageFormValues[] },
  item: EditedItem,
  categories: readonly Category[],
  currency: Currency,
): Difference[] {
  const stored = toFormValues(item)
  const shown = (typed: ItemFormValues, name: keyof ItemFormValues) =>
    name === 'categoryId'
      ? (categories.find(({ id }) => id === typed.categoryId)?.title ?? '')
      : name === 'kind'
        ? itemFormTexts.kinds[parseKind(typed.kind) ?? '']
        : comparableValue(typed, name, currency)
  const found = differingFields(yours.typed, stored).map(({ name, label }) => ({
    label,
    yours: shown(yours.typed, name),
    stored: shown(stored, name),
  }))
  const images = toImageFormValues(item)
  return areSameImages(yours.images, images)
    ? found
    : [...found, imagesDiffer(yours.images, images)]
}

function imagesDiffer(
  yours: readonly ImageFormValues[],
  stored: readonly ImageFormValues[],
): Difference {
  const describe = (
    images: readonly ImageFormValues[],
    others: readonly ImageFormValues[],
  ): string => {
    const count = texts.images(images.length)
    const own = images.filter(({ key }) => !others.some((other) => other.key === key)).length
    if (own > 0) return texts.onlyHere(count, own)
    if (images.length < others.length) return count
    const isInOrder = images.every(({ key }, at) => key === others[at]?.key)
    return isInOrder ? texts.otherColors(count) : texts.otherOrder(count)
  }
  return {
    label: itemFieldTexts.images,
    yours: describe(yours, stored),
    stored: describe(stored, yours),
  }
}
