import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import {
  Form,
  useLocation,
  useNavigate,
  useNavigationType,
  href,
  Link,
  useNavigation,
} from 'react-router'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { showToast } from '#ui/toasts.tsx'
import type { Item } from '#catalog/catalog.ts'
import { EditItemForm, type EditItemFormProps } from './edit-item-form.tsx'
import {
  arrangeTexts,
  itemActionTexts,
  itemFormTexts,
  itemListTexts as texts,
  itemTexts,
} from './texts.ts'
import type { ItemActionResult } from './item-form.ts'
import { listQuery, parseListView, withCategoryPage } from './item-list.ts'
import type { ItemList, ListPage } from './item-list.server.ts'
import { DONE_STATE, FRESH_STATE, isFresh } from '#ui/unsaved-changes-dialog.tsx'
import { newItemUrl } from './use-item-form.ts'
import { discountTag } from '#pricing/money.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import { Price } from '#pricing/price.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { SearchForm } from '#ui/search-form.tsx'
import css from './edit-items-page.module.css'
import listCss from './item-list.module.css'

type EditItemsPageProps = Omit<EditItemFormProps, 'isDeleted' | 'onAdded'> & { list: ItemList }

export function EditItemsPage({ list, ...formProps }: EditItemsPageProps) {
  const { item, itemId } = formProps
  const [isListOpen, setListOpen] = useState(false)
  const [addedCount, setAddedCount] = useState(0)
  const navigate = useNavigate()
  const freshKey = useFreshKey()
  const openNewItem = () =>
    navigate(newItemUrl + listQuery(list.view), { replace: true, state: DONE_STATE })
  const deletion = useDeletion(itemId, item, () => void openNewItem())
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (addedCount === 0) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [addedCount])
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
        <ListSide
          list={list}
          current={item?.id}
          isOpen={isListOpen}
          onSelect={() => setListOpen(false)}
        />
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
              <DeleteButton
                key={item.id}
                item={item}
                form={deletion.form}
              />
            )}
          </div>
          {item && (
            <ItemActions
              key={item.id}
              item={item}
            />
          )}
          <EditItemForm
            key={`${itemId} ${freshKey} ${addedCount}`}
            {...formProps}
            isDeleted={deletion.isDeleted}
            onAdded={() => {
              setAddedCount(addedCount + 1)
              if (itemId !== null) void openNewItem()
            }}
          />
        </section>
      </div>
    </main>
  )
}

function useFreshKey() {
  const location = useLocation()
  const isBack = useNavigationType() === 'POP'
  const [key, setKey] = useState('')
  if (isFresh(location) && !isBack && key !== location.key) setKey(location.key)
  useEffect(() => {
    if (key !== '') showToast(itemTexts.formReset)
  }, [key])
  return key
}

/**
 * A live update may remove the delete button before the answer arrives, so the page has the form.
 */
function useDeletion(itemId: string | null, item: Item | null, onDeleted: () => void) {
  const form = useActionForm<ItemActionResult>()
  const isAnswered = itemId !== null && form.answer?.deleted === itemId
  const leave = useEffectEvent(onDeleted)
  useEffect(() => {
    if (isAnswered) leave()
  }, [isAnswered])
  return {
    form,
    isDeleted: isAnswered || (itemId !== null && item === null && form.isPending),
  }
}

type DeleteButtonProps = { item: Item; form: ReturnType<typeof useDeletion>['form'] }

function DeleteButton({ item: { name }, form }: DeleteButtonProps) {
  const hasScript = useHydrated()
  return (
    <ConfirmForm
      form={form}
      fields={{ intent: 'delete', back: hasScript ? null : newItemUrl }}
      label={itemFormTexts.delete}
      ariaLabel={itemFormTexts.deleteItem(name)}
      question={itemFormTexts.deleteQuestion(name)}
      onNo={() => showToast(itemTexts.deleteCancelled)}
    />
  )
}

function ItemActions({ item: { id, state } }: { item: Item }) {
  const stateForm = useActionForm()
  const isDuplicating = useNavigation().formData?.get('intent') === 'duplicate'
  const action = href('/manage/item/:itemid?', { itemid: id })
  const isForSale = state === 'listed'
  return (
    <div className={`row ${css.actions}`}>
      {state !== 'listed' && <strong className={css.state}>{itemActionTexts.states[state]}</strong>}
      <Link
        className="tap"
        to={href('/item/:itemid', { itemid: id })}
      >
        {state === 'draft' ? itemActionTexts.preview : itemActionTexts.see}
      </Link>
      <Form
        method="post"
        action={action}
      >
        <input
          type="hidden"
          name="intent"
          value="duplicate"
        />
        <SubmitButton
          isPending={isDuplicating}
          className="button quiet"
        >
          {itemActionTexts.duplicate}
        </SubmitButton>
      </Form>
      {state !== 'draft' && (
        <ActionForm
          form={stateForm}
          action={action}
          fields={{ intent: 'state', state: isForSale ? 'retired' : 'listed' }}
        >
          <SubmitButton className="button quiet">
            {isForSale ? itemActionTexts.retire : itemActionTexts.sell}
          </SubmitButton>
        </ActionForm>
      )}
    </div>
  )
}

type ListProps = { list: ItemList; current: string | undefined; onSelect: () => void }

function ListSide({ isOpen, ...listProps }: ListProps & { isOpen: boolean }) {
  const { view, categories, searchPage } = listProps.list
  const navigate = useNavigate()
  const side = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) side.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <div
      id="item-list"
      ref={side}
      className={css.side}
      data-open={isOpen || undefined}
    >
      <div className={css.top}>
        <Form
          action={newItemUrl}
          onSubmit={(event) => {
            event.preventDefault()
            listProps.onSelect()
            void navigate(newItemUrl + listQuery(view), { state: FRESH_STATE })
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
          text={view.text}
          queryOf={(text) => listQuery({ ...view, text, page: 1 })}
          className={listCss.search}
        >
          {[...view.folds].map(([categoryId, page]) => (
            <input
              key={categoryId}
              type="hidden"
              name="open"
              value={`${page}~${categoryId}`}
            />
          ))}
        </SearchForm>
      </div>
      {/* Screen readers announce a text only if its element was on the page before. */}
      <p
        className="sr-only"
        role="status"
      >
        {searchPage && texts.found(searchPage.count, view.text)}
      </p>
      {categories.length === 0 && <p className="text-soft">{texts.noItems}</p>}
      <ItemListView {...listProps} />
    </div>
  )
}

function ItemListView({ list: { view, categories, searchPage }, ...rowProps }: ListProps) {
  const { pathname } = useLocation()
  const query = listQuery(view)
  if (searchPage) {
    return (
      <section aria-labelledby="items-found">
        <h2
          id="items-found"
          className={listCss.found}
        >
          {texts.found(searchPage.count, view.text)}
        </h2>
        <Link
          className={`tap ${listCss.clear}`}
          to={pathname + listQuery({ ...view, text: '', page: 1 })}
          preventScrollReset
        >
          {texts.showAllCategories}
        </Link>
        <Rows
          part={searchPage}
          query={query}
          {...rowProps}
        />
        <Pagination
          part={searchPage}
          label={texts.theSearch}
          address={(page) => pathname + listQuery({ ...view, page })}
        />
      </section>
    )
  }
  return categories.map((category) => (
    <CollapsibleCategory
      key={category.id}
      category={category}
    >
      {category.part && (
        <Rows
          part={category.part}
          query={query}
          {...rowProps}
        />
      )}
    </CollapsibleCategory>
  ))
}

type CollapsibleCategoryProps = { category: ItemList['categories'][number]; children: ReactNode }

function CollapsibleCategory({ category, children }: CollapsibleCategoryProps) {
  const { id, title, count, part } = category
  const location = useLocation()
  const navigate = useNavigate()
  const navigation = useNavigation()
  /** Extends the URL that is being loaded, so that quickly opened categories all stay open. */
  const address = (page: number) => {
    const next = navigation.location
    const target = next?.pathname === location.pathname ? next : location
    const view = parseListView(new URLSearchParams(target.search))
    return location.pathname + listQuery(withCategoryPage(view, id, page))
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
        <span className="text-soft tabular-nums">{count}</span>
      </summary>
      {count === 0 && <p className={`text-soft ${listCss.none}`}>{texts.noItems}</p>}
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

type PaginationProps = { part: ListPage; label: string; address: (page: number) => string }

function Pagination({ part: { page, lastPage }, label, address }: PaginationProps) {
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
      className={`row ${listCss.parts}`}
      aria-label={texts.pages(label)}
    >
      {page > 1 && step(page - 1, texts.previous)}
      <span className="text-soft tabular-nums">{texts.position(page, lastPage)}</span>
      {page < lastPage && step(page + 1, texts.more)}
    </nav>
  )
}

type RowsProps = Omit<ListProps, 'list'> & { part: ListPage; query: string }

function Rows({ part, query, current, onSelect }: RowsProps) {
  const currency = useCurrency()
  return (
    <ul role="list">
      {part.items.map((item) => (
        <li key={item.id}>
          <Link
            className={listCss.item}
            to={href('/manage/item/:itemid?', { itemid: item.id }) + query}
            aria-current={item.id === current ? 'page' : undefined}
            preventScrollReset={item.id === current}
            onClick={onSelect}
          >
            <ResponsiveImage
              className={listCss.thumb}
              image={item.image}
              alt=""
              sizes="3rem"
            />
            <span className={listCss.texts}>
              <span className="line-clamp-2">{item.name}</span>
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
