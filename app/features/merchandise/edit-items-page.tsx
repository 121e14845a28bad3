/** The owner's merchandise: the list on the left, the item's form on the right (MERCH-01 to MERCH-09). */
import { useEffect, useState } from 'react'
import { Form, href, Link, useFetcher, useLocation, useNavigate } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/ask.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Category, Color, Item, ItemCard } from '#app/features/catalog/catalog.ts'
import { EditItemForm } from './edit-item-form.tsx'
import { itemTexts, type ItemRefused } from './item-input.ts'
import css from './edit-items-page.module.css'

type Props = {
  categories: Category[]
  colors: Color[]
  items: ItemCard[]
  /** null: a new one */
  item: Item | null
  /** what a form sent without script was answered */
  refused: ItemRefused | undefined
}

export function EditItemsPage({ categories, colors, items, item, refused }: Props) {
  const { key } = useLocation()
  const [isListOpen, setListOpen] = useState(false)
  const [saves, setSaves] = useState(0)
  return (
    <main className="page" id="main">
      <h1>Merchandise</h1>
      <button
        type="button"
        className={`button quiet ${css.select}`}
        aria-expanded={isListOpen}
        aria-controls="item-list"
        onClick={() => setListOpen(!isListOpen)}
      >
        Select Item
      </button>
      <div className={css.sides}>
        <div id="item-list" className={css.side} data-open={isListOpen || undefined}>
          <Form
            action={href('/manage/item/:itemid?')}
            onSubmit={() => {
              setListOpen(false)
              showToast(itemTexts.formReset)
            }}
          >
            <button className={`button ${css.new}`}>Add New Item</button>
          </Form>
          {categories.map((category) => (
            <CategoryItems
              key={category.id}
              category={category}
              items={items.filter((one) => one.categoryId === category.id)}
              current={item?.id}
              onSelect={() => setListOpen(false)}
            />
          ))}
        </div>
        <section className={`card ${css.form}`} aria-labelledby="item-form">
          <div className={css.head}>
            <h2 id="item-form">{item ? item.name : 'New Item'}</h2>
            {item && <DeleteItem item={item} key={item.id} />}
          </div>
          {/* Selecting, Add New Item and each success make the form anew (S-098). */}
          <EditItemForm
            key={`${item?.id} ${key} ${saves}`}
            categories={categories}
            colors={colors}
            item={item}
            refused={refused}
            onSaved={() => setSaves((count) => count + 1)}
          />
        </section>
      </div>
    </main>
  )
}

function CategoryItems(props: { category: Category; items: ItemCard[]; current: string | undefined; onSelect: () => void }) {
  const { category, items, current, onSelect } = props
  return (
    <details className={css.category} open={items.some((item) => item.id === current) || undefined}>
      <summary>
        {category.title}
        <span className="soft tabular">{items.length}</span>
      </summary>
      {items.length === 0 ? (
        <p className={css.none}>No Items</p>
      ) : (
        <ul role="list">
          {items.map((item) => (
            <li key={item.id}>
              <Link
                className={css.item}
                to={href('/manage/item/:itemid?', { itemid: item.id })}
                aria-current={item.id === current ? 'page' : undefined}
                onClick={onSelect}
              >
                {item.picture ? (
                  <Picture className={css.thumb} picture={item.picture} alt="" sizes="3rem" />
                ) : (
                  <span className={css.thumb} />
                )}
                {item.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

function DeleteItem({ item }: { item: Item }) {
  const fetcher = useFetcher<Answer>()
  const navigate = useNavigate()
  useAnswerToasts(fetcher.data)
  const isGone = fetcher.data?.ok === true
  // The address still names the item that is gone: leave it (S-098).
  useEffect(() => {
    if (isGone) void navigate(href('/manage/item/:itemid?'), { replace: true })
  }, [isGone, navigate])
  return (
    <Ask
      label="Delete"
      ariaLabel={`Delete ${item.name}`}
      question={`Delete ${item.name}?`}
      disabled={fetcher.state !== 'idle'}
      onNo={() => showToast(itemTexts.deleteCancelled)}
    >
      {(yesNo) => (
        <fetcher.Form method="post">
          <BackField />
          <input type="hidden" name="intent" value="delete" />
          {yesNo}
        </fetcher.Form>
      )}
    </Ask>
  )
}
