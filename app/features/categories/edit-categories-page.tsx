/** The owner's categories (CATEGORY-01 to CATEGORY-12). */
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import type { Category } from '#app/features/catalog/catalog.ts'
import { PictureField } from '#app/features/uploads/picture-field.tsx'
import css from './edit-categories-page.module.css'

export const NO_NEW_CATEGORIES = 'Cannot add new Categories at the moment'

export function EditCategoriesPage({ categories }: { categories: Category[] }) {
  return (
    <main className="page" id="main">
      <h1>Categories</h1>
      <ul className={css.list} role="list">
        {categories.map((category) => (
          <CategoryRow key={category.id} category={category} />
        ))}
        <NewRow />
      </ul>
    </main>
  )
}

function CategoryRow({ category }: { category: Category }) {
  const saving = useFetcher<Answer>()
  const isBusy = saving.state !== 'idle'
  const title = `title-${category.id}`
  const color = `color-${category.id}`
  return (
    <li className={`card ${css.row}`} aria-label={category.title}>
      {category.picture ? (
        <Picture className={css.picture} picture={category.picture} alt="" sizes="10rem" />
      ) : (
        <div className={css.picture} style={{ background: category.color }} />
      )}
      {/* What another tab has saved meanwhile is taken over: the key makes the fields anew. */}
      <saving.Form method="post" className={css.words} key={`${category.title} ${category.color}`}>
        <BackField />
        <input type="hidden" name="id" value={category.id} />
        <div className={css.titleField}>
          <label htmlFor={title}>Title</label>
          <input className="input" id={title} name="title" defaultValue={category.title} maxLength={100} required />
        </div>
        <div>
          <label htmlFor={color}>Theme color</label>
          <input className={css.color} id={color} name="color" type="color" defaultValue={category.color} />
        </div>
        <button className="button" name="intent" value="save" aria-disabled={isBusy || undefined} aria-label={`Save ${category.title}`}>
          {isBusy ? 'Saving…' : saving.data?.ok ? 'Saved' : 'Save'}
        </button>
        <p className="error" role="alert">
          {saving.data?.error}
        </p>
      </saving.Form>
      <PictureForm category={category} />
    </li>
  )
}

function PictureForm({ category }: { category: Category }) {
  const fetcher = useFetcher<Answer>()
  const isBusy = fetcher.state !== 'idle'
  return (
    // A new picture has a new address: the form starts anew.
    <fetcher.Form method="post" encType="multipart/form-data" className={css.pictureForm} key={category.picture?.url ?? ''}>
      <BackField />
      <input type="hidden" name="id" value={category.id} />
      <PictureField label="Image" error={fetcher.data?.error} />
      <button
        className="button quiet"
        name="intent"
        value="picture"
        aria-disabled={isBusy || undefined}
        aria-label={`Change image of ${category.title}`}
      >
        {isBusy ? 'Uploading…' : 'Change image'}
      </button>
    </fetcher.Form>
  )
}

/** CATEGORY-05, CATEGORY-06 */
function NewRow() {
  return (
    <li className={`card ${css.row} ${css.new}`} aria-label="Add new category">
      <fieldset className={css.words} disabled aria-describedby="no-new-categories">
        <div className={css.titleField}>
          <label htmlFor="new-title">Title</label>
          <input className="input" id="new-title" />
        </div>
        <div>
          <label htmlFor="new-color">Theme color</label>
          <input className={css.color} id="new-color" type="color" defaultValue="#cbbcaa" />
        </div>
        <button className="button" type="button">
          Add
        </button>
      </fieldset>
      <p className={css.note} id="no-new-categories">
        {NO_NEW_CATEGORIES}
      </p>
    </li>
  )
}
