/** The owner's categories, in the order in which visitors see them (CATEGORY-01 to CATEGORY-12, decision 019). */
import { useFetcher } from 'react-router'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import { SortableList } from '#app/ui/sortable-list.tsx'
import { movedTo } from '#app/ui/sortable-steps.ts'
import type { Category } from '#app/features/catalog/catalog.ts'
import { orderAfter, orderAfterStep } from './category.ts'
import { CategoryRow } from './category-row.tsx'
import css from './edit-categories-page.module.css'

export const NO_NEW_CATEGORIES = 'Cannot add new Categories at the moment'

export function EditCategoriesPage({ categories }: { categories: Category[] }) {
  const ordering = useFetcher()
  const present = categories.map(({ id }) => id)
  // While the new order is on its way it is shown already; afterwards what is stored (S-104).
  const order = orderAfter(present, wantedIn(ordering.formData, present))
  const shown = order.map((id) => categories.find((category) => category.id === id)!)
  const save = (wanted: string[]) => {
    const form = new FormData()
    form.set('intent', 'order')
    for (const id of wanted) form.append('order', id)
    void ordering.submit(form, { method: 'post' })
  }
  return (
    <main className="page" id="main">
      <h1>Categories</h1>
      <p className="intro">Visitors see them in this order. What you change is saved as you leave a field.</p>
      <SortableList
        className={`stack bare-list ${css.list}`}
        items={shown.map((category) => ({ ...category, name: category.title }))}
        label="Order of categories"
        onMove={(from, to) => save(movedTo(order, from, to))}
        render={(category, handle, index) => (
          <CategoryRow category={category} handle={handle}>
            <ordering.Form method="post" className="cluster">
              <HiddenFields intent="move" id={category.id} />
              <MoveButton by="up" title={category.title} isEnd={index === 0} />
              <MoveButton by="down" title={category.title} isEnd={index === shown.length - 1} />
            </ordering.Form>
          </CategoryRow>
        )}
      >
        <NewRow />
      </SortableList>
    </main>
  )
}

/** For whoever does not pull: without script, by a single tap, by a switch. */
function MoveButton({ by, title, isEnd }: { by: 'up' | 'down'; title: string; isEnd: boolean }) {
  return (
    <button className="button quiet" name="by" value={by} aria-disabled={isEnd || undefined} aria-label={`Move ${by}: ${title}`}>
      {`Move ${by}`}
    </button>
  )
}

function wantedIn(form: FormData | undefined, present: string[]): string[] {
  if (form?.get('intent') === 'order') return form.getAll('order').map(String)
  if (form?.get('intent') === 'move') return orderAfterStep(present, String(form.get('id')), form.get('by') === 'up' ? -1 : 1)
  return present
}

/** CATEGORY-05, CATEGORY-06 */
function NewRow() {
  return (
    <li className={`card ${css.new}`} aria-label="Add new category">
      <fieldset className={`cluster flush slim ${css.newFields}`} disabled aria-describedby="no-new-categories">
        <div className={`slim ${css.newTitle}`}>
          <label htmlFor="new-title">Title</label>
          <input className="input" id="new-title" />
        </div>
        <div>
          <label htmlFor="new-color">Theme color</label>
          <input className={css.newColor} id="new-color" type="color" defaultValue="#cbbcaa" />
        </div>
        <button className="button" type="button">
          Add
        </button>
      </fieldset>
      <p className="soft" id="no-new-categories">
        {NO_NEW_CATEGORIES}
      </p>
    </li>
  )
}
