/** From page to page of a long list, by plain links. */
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Link } from 'react-router'
import type { Gallery } from './gallery.server.ts'
import css from './gallery-pages.module.css'

export function GalleryPages({ page, pages, previous, next }: Gallery['links']) {
  if (pages.length === 0) return null
  return (
    <nav aria-label="Pages" className={css.pages}>
      {previous && (
        <Link to={previous} rel="prev" className={css.step}>
          <ChevronLeft aria-hidden size={18} />
          Previous
        </Link>
      )}
      <ol className={css.numbers}>
        {pages.map((entry, at) => (
          <li key={entry?.number ?? `gap-${at}`}>
            {entry ? (
              <Link to={entry.href} aria-label={`Page ${entry.number}`} aria-current={entry.number === page ? 'page' : undefined}>
                {entry.number}
              </Link>
            ) : (
              <span aria-hidden="true">…</span>
            )}
          </li>
        ))}
      </ol>
      {next && (
        <Link to={next} rel="next" className={css.step}>
          Next
          <ChevronRight aria-hidden size={18} />
        </Link>
      )}
    </nav>
  )
}
