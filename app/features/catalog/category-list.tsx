/** The gallery's list of categories: at the side on a desktop, a panel on a phone (GALLERY-01 to GALLERY-05). */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Link } from 'react-router'
import { swift } from '#app/ui/swift.ts'
import { Picture } from '#app/ui/picture.tsx'
import css from './category-list.module.css'
import type { GalleryLinks } from './gallery-links.ts'

export function CategoryList({ views, isCategory }: Pick<GalleryLinks, 'views' | 'isCategory'>) {
  return (
    <div className={css.aside}>
      {/* The key closes it again once a category has been chosen. */}
      <details className={css.panel} key={views.findIndex(({ isChosen }) => isChosen)} open={!isCategory}>
        <summary className={css.summary}>
          Categories
          <ChevronDown aria-hidden size={20} />
        </summary>
        <Views views={views} hasPictures />
      </details>
      <div className={css.side}>
        <h2 className={css.title}>Categories</h2>
        <Views views={views} />
      </div>
    </div>
  )
}

function Views({ views, hasPictures = false }: Pick<GalleryLinks, 'views'> & { hasPictures?: boolean }) {
  return (
    <nav aria-label="Categories">
      <ul className={hasPictures ? css.strip : css.list}>
        {views.map(({ title, href, isChosen, color, picture }) => (
          <li key={href} style={{ '--tint': color }}>
            <Link to={href} aria-current={isChosen ? 'page' : undefined} {...swift()} title={title}>
              {hasPictures && <i>{picture && <Picture picture={picture} alt="" sizes="4rem" />}</i>}
              <span>{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
