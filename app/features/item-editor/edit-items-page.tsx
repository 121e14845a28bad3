import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  Form,
  useFetcher,
  useLocation,
  useNavigate,
  useNavigationType,
  href,
  Link,
  useNavigation,
} from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'
import { ConfirmButton } from '#app/ui/dialog-button.tsx'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import type { Item } from '#app/features/catalog/catalog.ts'
import { ItemActions } from './item-actions.tsx'
import { EditItemForm, type ItemFormProps } from './edit-item-form.tsx'
import { itemActionTexts, itemFormTexts, itemListTexts as texts, itemTexts } from './texts.ts'
import type { ItemList, ListCategory, ListPage, ListRow } from './item-list.ts'
import { listQuery, parseListView, withCategoryPage } from './item-list.ts'
import { arrangeTexts } from './arrange-texts.ts'
import { DONE_STATE, FRESH_STATE, isFresh } from '#app/ui/unsaved-changes-dialog.tsx'
import { newItemUrl } from './use-item-form.ts'
import { discountTag } from '#app/features/pricing/money.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { SearchForm } from '#app/ui/search-form.tsx'
import css from './edit-items-page.module.css'
import listCss from './item-list.module.css'

export function EditItemsPage({ list, ...shown }: ItemFormProps & { list: ItemList }) {
  const { categories, item, itemId } = shown
  const [isListOpen, setListOpen] = useState(false)
  const [added, setAdded] = useState(0)
  const side = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const freshKey = useFreshKey()
  const hasScript = useHydrated()
  const query = listQuery(list.view)
  const deletion = useDeletion({
    itemId,
    item,
    onDeleted: () => void navigate(newItemUrl + query, { replace: true, state: DONE_STATE }),
  })
  // When the list opens, it scrolls to the item that the form shows.
  useEffect(() => {
    if (isListOpen)
      side.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [isListOpen])
  const heading = useRef<HTMLHeadingElement>(null)
  // After an item was added, the focus moves to the heading of the form for the next item.
  useEffect(() => {
    if (added === 0) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [added])
  const begin = () => {
    setAdded(added + 1)
    if (itemId !== null) void navigate(newItemUrl + query, { replace: true, state: DONE_STATE })
  }
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <button
        type="button"
        className={`button quiet ${css.select}`}
        aria-expanded={isListOpen}
        aria-controls="item-list"
        onClick={() => setListOpen(!isListOpen)}
      >
        {texts.selectItem}
      </button>
      <div className={css.sides}>
        <div
          id="item-list"
          ref={side}
          className={css.side}
          data-open={isListOpen || undefined}
        >
          <div className={css.top}>
            <Form
              action={newItemUrl}
              onSubmit={(event) => {
                event.preventDefault()
                setListOpen(false)
                void navigate(newItemUrl + query, { state: FRESH_STATE })
              }}
            >
              <button className={`button ${css.new}`}>{texts.addNewItem}</button>
            </Form>
            <Link
              className="tap"
              to="/manage/arrange/"
            >
              {arrangeTexts.link}
            </Link>
            <SearchForm
              among={texts.searchForm}
              label={texts.search}
              text={list.view.text}
              queryOf={(text) => listQuery({ ...list.view, text, page: 1 })}
              className={listCss.search}
            >
              {[...list.view.folds].map(([categoryId, page]) => (
                <input
                  key={categoryId}
                  type="hidden"
                  name="open"
                  value={`${page}~${categoryId}`}
                />
              ))}
            </SearchForm>
          </div>
          {/* This element must be in the page before its text changes. Otherwise screen readers would not announce the text. */}
          <p
            className="visually-hidden"
            role="status"
          >
            {list.found && texts.found(list.found.count, list.view.text)}
          </p>
          {categories.length === 0 && <p className="soft">{texts.noItems}</p>}
          <ItemListView
            list={list}
            current={item?.id}
            onSelect={() => setListOpen(false)}
          />
        </div>
        <section
          className={`card ${css.form}`}
          aria-labelledby="item-form"
        >
          <div className={css.head}>
            <h2
              id="item-form"
              ref={heading}
              tabIndex={-1}
            >
              <span>{item ? item.name : itemFormTexts.newItem}</span>
            </h2>
            {item && (
              <ConfirmButton
                key={item.id}
                label={itemFormTexts.delete}
                ariaLabel={itemFormTexts.deleteItem(item.name)}
                question={itemFormTexts.deleteQuestion(item.name)}
                isPending={deletion.fetcher.state !== 'idle'}
                onNo={() => showToast(itemTexts.deleteCancelled)}
              >
                {(yesNo) => (
                  <deletion.fetcher.Form method="post">
                    {!hasScript && (
                      <input
                        type="hidden"
                        name="back"
                        value={newItemUrl}
                      />
                    )}
                    <input
                      type="hidden"
                      name="intent"
                      value="delete"
                    />
                    {yesNo}
                  </deletion.fetcher.Form>
                )}
              </ConfirmButton>
            )}
          </div>
          {item && (
            <ItemActions
              key={item.id}
              item={item}
            />
          )}
          {/* A new `key` resets the form when the owner opens another item, clicks the button "Add New Item" or has added an item. [S-098] */}
          <EditItemForm
            key={`${itemId} ${freshKey} ${added}`}
            {...shown}
            isDeleted={deletion.isDeleted}
            onAdded={begin}
          />
        </section>
      </div>
    </main>
  )
}

/** Returns a new value after each click on "Add New Item", but not after Back or Forward. [MERCH-09, MERCH-10] */
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

/** The page waits for the result of a deletion, because a live update may remove the delete button before the result arrives. */
function useDeletion({
  itemId,
  item,
  onDeleted,
}: {
  itemId: string | null
  item: Item | null
  onDeleted: () => void
}) {
  const fetcher = useFetcher<ActionResult & { deleted?: string }>()
  const { data, state } = fetcher
  useActionToasts(data)
  const isAnswered = itemId !== null && data?.deleted === itemId
  const leave = useEffectEvent(onDeleted)
  // Leaves the page of the deleted item, because the URL still contains the id of this item. [S-098]
  useEffect(() => {
    if (isAnswered) leave()
  }, [isAnswered])
  return {
    fetcher,
    isDeleted: isAnswered || (itemId !== null && item === null && state !== 'idle'),
  }
}

type ListProps = { list: ItemList; current: string | undefined; onSelect: () => void }

function ItemListView({ list: { view, categories, found }, current, onSelect }: ListProps) {
  const { pathname } = useLocation()
  const rows = (part: ListPage) => (
    <Rows
      items={part.items}
      query={listQuery(view)}
      current={current}
      onSelect={onSelect}
    />
  )
  if (found)
    return (
      <section aria-labelledby="items-found">
        <h2
          id="items-found"
          className={listCss.found}
        >
          {texts.found(found.count, view.text)}
        </h2>
        <Link
          className={`tap ${listCss.clear}`}
          to={pathname + listQuery({ ...view, text: '', page: 1 })}
          preventScrollReset
        >
          {texts.showAllCategories}
        </Link>
        {rows(found)}
        <Pagination
          part={found}
          label={texts.theSearch}
          address={(page) => pathname + listQuery({ ...view, page })}
        />
      </section>
    )
  return categories.map((category) => (
    <CollapsibleCategory
      key={category.id}
      category={category}
    >
      {category.part && rows(category.part)}
    </CollapsibleCategory>
  ))
}

/** Shows a category that the owner can open and close. Without JavaScript, a closed category is a link to the list of its items. */
function CollapsibleCategory({
  category: { id, title, count, part },
  children,
}: {
  category: ListCategory
  children: React.ReactNode
}) {
  const location = useLocation()
  const navigate = useNavigate()
  const navigation = useNavigation()
  /** Returns the URL that opens a page of this category. Extends the URL that is being loaded, so that two categories stay open if the owner opens them quickly. */
  const address = (page: number) => {
    const target =
      navigation.location?.pathname === location.pathname ? navigation.location : location
    return (
      location.pathname +
      listQuery(withCategoryPage(parseListView(new URLSearchParams(target.search)), id, page))
    )
  }
  const fold = () =>
    count > 0 && void navigate(address(part ? 0 : 1), { replace: true, preventScrollReset: true })
  return (
    <details
      className={`fold arrow ${listCss.category}`}
      open={part !== null}
    >
      <summary onClick={fold}>
        {title}
        <span className="soft tabular">{count}</span>
      </summary>
      {count === 0 && <p className={`soft ${listCss.none}`}>{texts.noItems}</p>}
      {count > 0 && !part && (
        <Link
          className={`tap ${listCss.clear}`}
          to={address(1)}
          preventScrollReset
        >
          {texts.showItems(count)}
        </Link>
      )}
      {children}
      {part && (
        <Pagination
          part={part}
          label={title}
          address={address}
        />
      )}
    </details>
  )
}

function Pagination({
  part: { page, lastPage },
  label,
  address,
}: {
  part: ListPage
  label: string
  address: (page: number) => string
}) {
  if (lastPage === 1) return null
  const step = (to: number, name: string) => (
    <Link
      className="tap"
      to={address(to)}
      replace
      preventScrollReset
    >
      {name}
    </Link>
  )
  return (
    <nav
      className={`cluster ${listCss.parts}`}
      aria-label={texts.pages(label)}
    >
      {page > 1 && step(page - 1, texts.previous)}
      <span className="soft tabular">{texts.position(page, lastPage)}</span>
      {page < lastPage && step(page + 1, texts.more)}
    </nav>
  )
}

function Rows({
  items,
  query,
  current,
  onSelect,
}: Omit<ListProps, 'list'> & { items: ListRow[]; query: string }) {
  const currency = useCurrency()
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
              <Picture
                className={listCss.thumb}
                picture={item.picture}
                alt=""
                sizes="3rem"
              />
            ) : (
              <span className={listCss.thumb} />
            )}
            <span className={listCss.texts}>
              <span className="two-lines">{item.name}</span>
              <span className={listCss.facts}>
                {item.category && <span>{item.category}</span>}
                {item.priceCents > 0 && (
                  <Price
                    cents={item.priceCents}
                    discount={item.discount}
                  />
                )}
                {item.discount && (
                  <span className={listCss.tag}>{discountTag(item.discount, currency)}</span>
                )}
                {item.state !== 'listed' && (
                  <span className={listCss.state}>{itemActionTexts.states[item.state]}</span>
                )}
                {item.hint && <span className={listCss.hint}>{item.hint}</span>}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
