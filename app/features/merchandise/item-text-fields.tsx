/** The item form's fields in the order of their checks; those with * are required (S-099). */
import type { ReactNode } from 'react'
import type { Category } from '#app/features/catalog/catalog.ts'
import { optionalFields, type ItemField, type TypedItem } from './item-input.ts'
import css from './edit-item-form.module.css'

type Props = {
  categories: Category[]
  /** what the fields begin with; from then on they are the browser's */
  values: TypedItem
  error: (field: ItemField) => string | undefined
}

export function ItemTextFields({ categories, values, error }: Props) {
  const props = (name: keyof TypedItem & ItemField) => ({
    id: `item-${name}`,
    name,
    className: 'input',
    defaultValue: values[name],
    'aria-required': true,
    // Without script the page comes back at its beginning: this leads to what is wrong.
    autoFocus: error(name) ? true : undefined,
    'aria-invalid': error(name) ? true : undefined,
    'aria-describedby': `item-${name}-error`,
  })
  return (
    <>
      <Field label="Name *" name="name" error={error('name')}>
        <input {...props('name')} autoComplete="off" autoCapitalize="sentences" enterKeyHint="next" />
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
          <input {...props('price')} inputMode="decimal" autoComplete="off" enterKeyHint="next" />
        </Field>
      </div>
      <Field label="Description *" name="description" error={error('description')}>
        <textarea {...props('description')} rows={5} />
      </Field>
      <div className={css.three}>
        {optionalFields.map(({ name, label }) => (
          <Field key={name} label={label} name={name} error={error(name)}>
            <input {...props(name)} aria-required={undefined} autoComplete="off" enterKeyHint="next" />
          </Field>
        ))}
      </div>
    </>
  )
}

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
