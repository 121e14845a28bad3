import { href, Link, useLocation, useNavigate, useNavigation } from 'react-router'
import { discountTag } from '#app/features/pricing/money.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { TypedSearch } from '#app/ui/typed-search.tsx'
import {
  foundText,
  listQuery,
  readListView,
  withFold,
  type ItemList,
  type ListCategory,
  type ListPart,
  type ListRow,
  type ListView,
} from './item-list.ts'
import css from './item-list.module.css'

type Props = { list: ItemList; current: string | undefined; onSelect: () => void }

export function ItemListView({ list: { view, categories, found }, current, onSelect }: Props) {
  const { pathname } = useLocation()
  const rows = (part: ListPart) => <Rows items={part.items} query={listQuery(view)} current={current} onSelect={onSelect} />
  if (found)
    return (
      <section aria-labelledby="items-found">
        <h2 id="items-found" className={css.found}>
          {foundText(found.count, view.text)}
        </h2>
        <Link className={`tap ${css.clear}`} to={pathname + listQuery({ ...view, text: '', page: 1 })} preventScrollReset>
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
    <details className={`fold arrow ${css.category}`} open={part !== null}>
      <summary onClick={fold}>
        {title}
        <span className="soft tabular">{count}</span>
      </summary>
      {count === 0 && <p className={`soft ${css.none}`}>No Items</p>}
      {count > 0 && !part && (
        <Link className={`tap ${css.clear}`} to={address(1)} preventScrollReset>
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
  return (
    <nav className={`cluster ${css.parts}`} aria-label={`Parts of ${label}`}>
      {page > 1 && (
        <Link className="tap" to={address(page - 1)} replace preventScrollReset>
          Previous
        </Link>
      )}
      <span className="soft tabular">{`${page} of ${lastPage}`}</span>
      {page < lastPage && (
        <Link className="tap" to={address(page + 1)} replace preventScrollReset>
          More
        </Link>
      )}
    </nav>
  )
}

function Rows({ items, query, current, onSelect }: Omit<Props, 'list'> & { items: ListRow[]; query: string }) {
  return (
    <ul role="list">
      {items.map((item) => (
        <li key={item.id}>
          <Link
            className={css.item}
            to={href('/manage/item/:itemid?', { itemid: item.id }) + query}
            aria-current={item.id === current ? 'page' : undefined}
            preventScrollReset={item.id === current}
            onClick={onSelect}
          >
            {item.picture ? <Picture className={css.thumb} picture={item.picture} alt="" sizes="3rem" /> : <span className={css.thumb} />}
            <span className={css.texts}>
              <span className="two-lines">{item.name}</span>
              <span className={css.facts}>
                {item.category && <span>{item.category}</span>}
                <Price cents={item.priceCents} discount={item.discount} />
                {item.discount && <span className={css.tag}>{discountTag(item.discount)}</span>}
                {item.hint && <span className={css.hint}>{item.hint}</span>}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function ItemSearch({ view }: { view: ListView }) {
  return (
    <TypedSearch
      among="Items"
      label="Search items"
      text={view.text}
      queryOf={(text) => listQuery({ ...view, text, page: 1 })}
      className={css.search}
    >
      {[...view.folds].map(([categoryId, page]) => (
        <input key={categoryId} type="hidden" name="open" value={`${page}~${categoryId}`} />
      ))}
    </TypedSearch>
  )
}
