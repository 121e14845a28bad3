import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Form, useFetcher, useLocation, useNavigate, useNavigationType } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/question.tsx'
import { useHasScript } from '#app/ui/back-field.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Item } from '#app/features/catalog/catalog.ts'
import { EditItemForm, type ItemFormProps } from './edit-item-form.tsx'
import { itemTexts } from './item-input.ts'
import { ItemListView, ItemSearch } from './item-list.tsx'
import { foundText, listQuery, type ItemList } from './item-list.ts'
import { DONE, FRESH, isFresh } from './item-notes.tsx'
import { newItem } from './use-item-form.ts'
import css from './edit-items-page.module.css'

export function EditItemsPage({ list, ...shown }: ItemFormProps & { list: ItemList }) {
  const { categories, item, itemId } = shown
  const [isListOpen, setListOpen] = useState(false)
  const [added, setAdded] = useState(0)
  const side = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const freshKey = useFreshKey()
  const hasScript = useHasScript()
  const query = listQuery(list.view)
  const deletion = useDeletion({ itemId, item, onDeleted: () => void navigate(newItem + query, { replace: true, state: DONE }) })
  // Scrolling is the browser's: who opens the list again goes on where she is.
  useEffect(() => {
    if (isListOpen) side.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [isListOpen])
  const heading = useRef<HTMLHeadingElement>(null)
  // Focus and scrolling are the browser's: who has added an item begins at the top of the next one, not among its images.
  useEffect(() => {
    if (added === 0) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [added])
  /** S-098 */
  const begin = () => {
    setAdded(added + 1)
    if (itemId !== null) void navigate(newItem + query, { replace: true, state: DONE })
  }
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
        <div id="item-list" ref={side} className={css.side} data-open={isListOpen || undefined}>
          <div className={css.top}>
            <Form
              action={newItem}
              onSubmit={(event) => {
                event.preventDefault()
                setListOpen(false)
                void navigate(newItem + query, { state: FRESH })
              }}
            >
              <button className={`button ${css.new}`}>Add New Item</button>
            </Form>
            <ItemSearch view={list.view} />
          </div>
          {/* It must stand there before it speaks. */}
          <p className="unseen" role="status">
            {list.found && foundText(list.found.count, list.view.text)}
          </p>
          {categories.length === 0 && <p className="soft">No Items</p>}
          <ItemListView list={list} current={item?.id} onSelect={() => setListOpen(false)} />
        </div>
        <section className={`card ${css.form}`} aria-labelledby="item-form">
          <div className={css.head}>
            <h2 id="item-form" ref={heading} tabIndex={-1}>
              <span>{item ? item.name : 'New Item'}</span>
            </h2>
            {item && (
              <Ask
                key={item.id}
                label="Delete"
                ariaLabel={`Delete ${item.name}`}
                question={`Delete ${item.name}?`}
                isPending={deletion.fetcher.state !== 'idle'}
                onNo={() => showToast(itemTexts.deleteCancelled)}
              >
                {(yesNo) => (
                  <deletion.fetcher.Form method="post">
                    {!hasScript && <input type="hidden" name="back" value={newItem} />}
                    <input type="hidden" name="intent" value="delete" />
                    {yesNo}
                  </deletion.fetcher.Form>
                )}
              </Ask>
            )}
          </div>
          {/* Selecting, Add New Item and each new item make the form anew (S-098). */}
          <EditItemForm key={`${itemId} ${freshKey} ${added}`} {...shown} isDeleted={deletion.isDeleted} onAdded={begin} />
        </section>
      </div>
    </main>
  )
}

/** MERCH-09, MERCH-10: another one each time that Add New Item was pressed; going back to where it was pressed is no pressing. */
function useFreshKey(): string {
  const location = useLocation()
  const isBack = useNavigationType() === 'POP'
  const isPressed = isFresh(location) && !isBack
  const [key, setKey] = useState('')
  if (isPressed && key !== location.key) setKey(location.key)
  // Toasts live outside React.
  useEffect(() => {
    if (key !== '') showToast(itemTexts.formReset)
  }, [key])
  return key
}

/** Lives with the page: the live channel may take the item, and its button, away before the answer is here. */
function useDeletion({ itemId, item, onDeleted }: { itemId: string | null; item: Item | null; onDeleted: () => void }) {
  const fetcher = useFetcher<Answer & { deleted?: string }>()
  const { data, state } = fetcher
  useAnswerToasts(data)
  const isAnswered = itemId !== null && data?.deleted === itemId
  const leave = useEffectEvent(onDeleted)
  // The address still names the item that is gone: leave it (S-098).
  useEffect(() => {
    if (isAnswered) leave()
  }, [isAnswered])
  return { fetcher, isDeleted: isAnswered || (itemId !== null && item === null && state !== 'idle') }
}
