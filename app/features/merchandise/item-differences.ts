/** What differs between a form and what is stored, field by field, for the one who must choose (018). */
import type { Category } from '#app/features/catalog/catalog.ts'
import { formatMoney, parseMoney } from '#app/features/money/money.ts'
import { optionalFields, typedOf, type EditedItem, type TypedImage, type TypedItem } from './item-input.ts'

export type Difference = { label: string; yours: string; stored: string }

const textFields: readonly { name: keyof TypedItem; label: string }[] = [
  { name: 'name', label: 'Name' },
  { name: 'categoryId', label: 'Category' },
  { name: 'price', label: 'Price' },
  { name: 'description', label: 'Description' },
  ...optionalFields,
]

/** Blanks around a text and the way in which a price is written are no difference. */
function meaning(typed: TypedItem, name: keyof TypedItem): string {
  const cents = name === 'price' ? parseMoney(typed.price) : null
  return cents === null ? typed[name].trim().replaceAll('\r\n', '\n') : formatMoney(cents)
}

export const differingFields = (yours: TypedItem, stored: TypedItem) =>
  textFields.filter(({ name }) => meaning(yours, name) !== meaning(stored, name))

export const imagesOf = (item: EditedItem | null): TypedImage[] =>
  (item?.pictures ?? []).map(({ id, colorIds, isAvailable }) => ({ key: id, colors: colorIds, isAvailable }))

const marks = ({ key, colors, isAvailable }: TypedImage) => JSON.stringify([key, [...new Set(colors)].sort(), isAvailable])

/** The same pictures in the same order with the same colours and availability. */
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

const counted = (count: number) => (count === 1 ? '1 image' : `${count} images`)

function imagesDiffer(yours: readonly TypedImage[], stored: readonly TypedImage[]): Difference {
  const onlyHere = yours.filter(({ key }) => !stored.some((one) => one.key === key)).length
  const onlyStored = stored.filter(({ key }) => !yours.some((one) => one.key === key)).length
  const ofSame = (images: readonly TypedImage[], others: readonly TypedImage[]) =>
    images.map(({ key }) => key).filter((key) => others.some((one) => one.key === key))
  const isReordered = ofSame(yours, stored).join() !== ofSame(stored, yours).join()
  const same = onlyHere + onlyStored === 0 && !isReordered
  const tell = (count: number, own: number, how: string) =>
    [counted(count), own > 0 ? `${own} of them only here` : '', isReordered ? 'in another order' : '', same ? how : '']
      .filter((part) => part !== '')
      .join(', ')
  return {
    label: 'Images',
    yours: tell(yours.length, onlyHere, 'with other colors or availability'),
    stored: tell(stored.length, onlyStored, 'with other colors or availability'),
  }
}
