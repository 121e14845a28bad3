import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Form, useFetcher, useLocation, useNavigate, useNavigationType, href, Link, useNavigation } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/question.tsx'
import { useHasScript } from '#app/ui/back-field.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Item } from '#app/features/catalog/catalog.ts'
import { EditItemForm, type ItemFormProps } from './edit-item-form.tsx'
import { itemTexts } from './item-input.ts'
import { foundText, listQuery, type ItemList, readListView, withFold, type ListCategory, type ListPart, type ListRow } from './item-list.ts'
import { DONE, FRESH, isFresh } from './item-notes.tsx'
import { newItem } from './use-item-form.ts'
import { discountTag } from '#app/features/pricing/money.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { TypedSearch } from '#app/ui/typed-search.tsx'
import css from './edit-items-page.module.css'
import listCss from './item-list.module.css'

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
            <TypedSearch
              among="Items"
              label="Search items"
              text={list.view.text}
              queryOf={(text) => listQuery({ ...list.view, text, page: 1 })}
              className={listCss.search}
            >
              {[...list.view.folds].map(([categoryId, page]) => (
                <input key={categoryId} type="hidden" name="open" value={`${page}~${categoryId}`} />
              ))}
            </TypedSearch>
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

type ListProps = { list: ItemList; current: string | undefined; onSelect: () => void }

function ItemListView({ list: { view, categories, found }, current, onSelect }: ListProps) {
  const { pathname } = useLocation()
  const rows = (part: ListPart) => <Rows items={part.items} query={listQuery(view)} current={current} onSelect={onSelect} />
  if (found)
    return (
      <section aria-labelledby="items-found">
        <h2 id="items-found" className={listCss.found}>
          {foundText(found.count, view.text)}
        </h2>
        <Link className={`tap ${listCss.clear}`} to={pathname + listQuery({ ...view, text: '', page: 1 })} preventScrollReset>
          Show all categories
        </Link>
        {rows(found)}
        <Parts part={found} label="the search" address={(page) => pathname + listQuery({ ...view, page })} />
      </section>
    )
  return categories.map((category) => (
    <CategoryFold key={category.id} category={category}>
      {category.part && rows(category.part)}
    </CategoryFold>
  ))
}

/** Without script a folded category leads to its items by a link; with it, opening asks for them. */
function CategoryFold({ category: { id, title, count, part }, children }: { category: ListCategory; children: React.ReactNode }) {
  const location = useLocation()
  const navigate = useNavigate()
  const navigation = useNavigation()
  /** From the address that is being loaded, if one is: who opens two at once gets both. */
  const address = (page: number) => {
    const asked = navigation.location?.pathname === location.pathname ? navigation.location : location
    return location.pathname + listQuery(withFold(readListView(new URLSearchParams(asked.search)), id, page))
  }
  const fold = () => count > 0 && void navigate(address(part ? 0 : 1), { replace: true, preventScrollReset: true, state: location.state })
  return (
    <details className={`fold arrow ${listCss.category}`} open={part !== null}>
      <summary onClick={fold}>
        {title}
        <span className="soft tabular">{count}</span>
      </summary>
      {count === 0 && <p className={`soft ${listCss.none}`}>No Items</p>}
      {count > 0 && !part && (
        <Link className={`tap ${listCss.clear}`} to={address(1)} preventScrollReset>
          {count === 1 ? 'Show 1 item' : `Show ${count} items`}
        </Link>
      )}
      {children}
      {part && <Parts part={part} label={title} address={address} />}
    </details>
  )
}

function Parts({ part: { page, lastPage }, label, address }: { part: ListPart; label: string; address: (page: number) => string }) {
  if (lastPage === 1) return null
  const step = (to: number, name: string) => (
    <Link className="tap" to={address(to)} replace preventScrollReset>
      {name}
    </Link>
  )
  return (
    <nav className={`cluster ${listCss.parts}`} aria-label={`Parts of ${label}`}>
      {page > 1 && step(page - 1, 'Previous')}
      <span className="soft tabular">{`${page} of ${lastPage}`}</span>
      {page < lastPage && step(page + 1, 'More')}
    </nav>
  )
}

function Rows({ items, query, current, onSelect }: Omit<ListProps, 'list'> & { items: ListRow[]; query: string }) {
  return (
    <ul role="list">
      {items.map((item) => (
        <li key={item.id}>
          <Link
            className={listCss.item}
            to={href('/manage/item/:itemid?', { itemid: item.id }) + query}
            aria-current={item.id === current ? 'page' : undefined}
            preventScrollReset={item.id === current}
            onClick={onSelect}
          >
            {item.picture ? (
              <Picture className={listCss.thumb} picture={item.picture} alt="" sizes="3rem" />
            ) : (
              <span className={listCss.thumb} />
            )}
            <span className={listCss.texts}>
              <span className="two-lines">{item.name}</span>
              <span className={listCss.facts}>
                {item.category && <span>{item.category}</span>}
                <Price cents={item.priceCents} discount={item.discount} />
                {item.discount && <span className={listCss.tag}>{discountTag(item.discount)}</span>}
                {item.hint && <span className={listCss.hint}>{item.hint}</span>}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
