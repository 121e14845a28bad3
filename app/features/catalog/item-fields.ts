/** A new text needs an entry here, a migration, and two lines that TypeScript demands. */
export const optionalItemTexts = ['width', 'soleType', 'size'] as const
export const itemTextColumns = ['name', 'description', ...optionalItemTexts] as const
export const itemFormFields = [
  'name',
  'categoryId',
  'price',
  'description',
  ...optionalItemTexts,
  'kind',
] as const
export const itemFormColumns = [...itemTextColumns, 'categoryId', 'priceCents', 'kind'] as const
export const itemValueColumns = [...itemFormColumns, 'discountType', 'discountValue'] as const

export type OptionalItemText = (typeof optionalItemTexts)[number]
export type ItemTextColumn = (typeof itemTextColumns)[number]
export type ItemFormValues = Record<(typeof itemFormFields)[number], string>
