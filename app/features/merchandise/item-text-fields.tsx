/** The item form's fields in the order of their checks; those with * are required (S-099). */
import type { ReactNode } from 'react'
import type { Category, Item } from '#app/features/catalog/catalog.ts'
import { LONGEST_LINE, type ItemField, type TypedItem } from './item-input.ts'
import css from './edit-item-form.module.css'

type Props = {
  categories: Category[]
  item: Item | null
  /** what was typed before, where it was refused without script */
  typed: TypedItem | null
  error: (field: ItemField) => string | undefined
}

const typedOf = (item: Item | null): TypedItem => ({
  name: item?.name ?? '',
  categoryId: item?.categoryId ?? '',
  price: item ? (item.priceCents / 100).toFixed(2) : '',
  description: item?.description ?? '',
  width: item?.width ?? '',
  soleType: item?.soleType ?? '',
  size: item?.size ?? '',
})

export function ItemTextFields({ categories, item, typed, error }: Props) {
  const values = typed ?? typedOf(item)
  const props = (name: keyof TypedItem & ItemField) => ({
    id: `item-${name}`,
    name,
    className: 'input',
    defaultValue: values[name],
    'aria-required': true,
    'aria-invalid': error(name) ? true : undefined,
    'aria-describedby': `item-${name}-error`,
  })
  return (
    <>
      <Field label="Name *" name="name" error={error('name')}>
        <input {...props('name')} maxLength={LONGEST_LINE} autoComplete="off" />
      </Field>
      <div className={css.two}>
        <Field label="Category *" name="categoryId" error={error('categoryId')}>
          <select {...props('categoryId')}>
            <option value="">Select a category</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.title}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Price *" name="price" error={error('price')}>
          <input {...props('price')} inputMode="decimal" autoComplete="off" />
        </Field>
      </div>
      <Field label="Description *" name="description" error={error('description')}>
        <textarea {...props('description')} rows={5} />
      </Field>
      <div className={css.three}>
        {optional.map(({ name, label }) => (
          <Field key={name} label={label} name={name}>
            <input className="input" id={`item-${name}`} name={name} defaultValue={values[name]} maxLength={LONGEST_LINE} />
          </Field>
        ))}
      </div>
    </>
  )
}

/** MERCH-15 to MERCH-17 */
const optional = [
  { name: 'width', label: 'Width' },
  { name: 'soleType', label: 'Sole type' },
  { name: 'size', label: 'Size' },
] as const

function Field({ label, name, error, children }: { label: string; name: string; error?: string | undefined; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={`item-${name}`}>{label}</label>
      {children}
      <p className="error" id={`item-${name}-error`} role="alert">
        {error}
      </p>
    </div>
  )
}
