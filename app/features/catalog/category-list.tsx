/** The gallery's list of categories: at the side on a desktop, a panel on a phone (GALLERY-01 to GALLERY-05). */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { href, Link } from 'react-router'
import css from './category-list.module.css'
import type { Category } from './catalog.ts'

type Props = {
  categories: Category[]
  /** what is chosen: a category's id, the favourites, or everything */
  chosen: { categoryId: string } | 'favourites' | 'everything'
  hasFavourites: boolean
}

export function CategoryList(props: Props) {
  const key = typeof props.chosen === 'string' ? props.chosen : props.chosen.categoryId
  return (
    <div className={css.aside}>
      {/* The key closes it again once a category has been chosen. */}
      <details className={css.panel} key={key} open={key === 'everything'}>
        <summary className={css.summary}>
          Categories
          <ChevronDown aria-hidden size={20} />
        </summary>
        <Entries {...props} />
      </details>
      <div className={css.side}>
        <h2 className={css.title}>Categories</h2>
        <Entries {...props} />
      </div>
    </div>
  )
}

function Entries({ categories, chosen, hasFavourites }: Props) {
  const current = (is: boolean) => (is ? ('page' as const) : undefined)
  return (
    <nav aria-label="Categories">
      <ul className={css.list}>
        <li>
          <Link to="/gallery/" aria-current={current(chosen === 'everything')} prefetch="intent">
            All items
          </Link>
        </li>
        {hasFavourites && (
          <li>
            <Link to="/gallery/?favorites" aria-current={current(chosen === 'favourites')}>
              Favorites
            </Link>
          </li>
        )}
        {categories.map(({ id, title, color }) => (
          <li key={id} style={{ '--tint': color }}>
            <Link
              to={href('/gallery/:categoryid?', { categoryid: id })}
              aria-current={current(typeof chosen === 'object' && chosen.categoryId === id)}
              prefetch="intent"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
