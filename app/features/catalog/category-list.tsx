/** The gallery's list of categories: at the side on a desktop, a panel on a phone (GALLERY-01 to GALLERY-05). */
import ChevronDown from 'lucide-react/icons/chevron-down'
import Heart from 'lucide-react/icons/heart'
import { href, Link } from 'react-router'
import { Picture } from '#app/ui/picture.tsx'
import css from './category-list.module.css'
import type { Gallery } from './gallery.server.ts'

type Props = Pick<Gallery, 'categories' | 'chosen'> & {
  hasFavourites: boolean
  /** of the search, which goes along from category to category */
  query: string
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
        <Entries {...props} current={key} hasPictures />
      </details>
      <div className={css.side}>
        <h2 className={css.title}>Categories</h2>
        <Entries {...props} current={key} />
      </div>
    </div>
  )
}

function Entries({ categories, current, hasFavourites, hasPictures = false, query }: Props & { current: string; hasPictures?: boolean }) {
  const tail = query && `?${query}`
  const entries = [
    { key: 'everything', to: `/gallery/${tail}`, title: 'All items', round: 'All' },
    ...(hasFavourites
      ? [
          {
            key: 'favourites',
            to: `/gallery/?favorites${query && `&${query}`}`,
            title: 'Favorites',
            round: <Heart aria-hidden size={22} />,
          },
        ]
      : []),
    ...categories.map(({ id, title, color, picture }) => ({
      key: id,
      to: href('/gallery/:categoryid?', { categoryid: id }) + tail,
      title,
      color,
      round: picture && <Picture picture={picture} alt="" sizes="4rem" />,
    })),
  ]
  return (
    <nav aria-label="Categories">
      <ul className={hasPictures ? css.strip : css.list}>
        {entries.map(({ key, to, title, round, ...more }) => (
          <li key={key} style={{ '--tint': 'color' in more ? more.color : undefined }}>
            <Link to={to} aria-current={key === current ? 'page' : undefined} prefetch="intent" title={title}>
              {hasPictures && (
                <span className={css.round} aria-hidden="true">
                  {round}
                </span>
              )}
              <span className={css.name}>{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
