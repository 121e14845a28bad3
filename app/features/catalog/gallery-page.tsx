/** The gallery: everything, one category, or one's favourites, and what a search finds among them. */
import { useEffect, useRef } from 'react'
import { Link, useNavigation } from 'react-router'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { CategoryList } from './category-list.tsx'
import { GalleryFilter } from './gallery-filter.tsx'
import css from './gallery-page.module.css'
import { GalleryPages } from './gallery-pages.tsx'
import type { Gallery } from './gallery.server.ts'
import { ItemCardView } from './item-card.tsx'
import { piecesText } from './pieces-text.ts'

const CARD_SIZES = '(min-width: 1200px) 15rem, (min-width: 769px) 30vw, 46vw'
/** the first row of a phone */
const FIRST_ROW = 2

export function GalleryPage(gallery: Gallery) {
  const { categories, chosen, title, items, count, favouriteIds, links } = gallery
  const category = typeof chosen === 'object' ? categories.find(({ id }) => id === chosen.categoryId) : undefined
  // A category opens with its own picture, the other views with a few.
  const few = (chosen === 'favourites' ? items : categories).slice(0, 4)
  const pictures = (category ? [category] : few).flatMap(({ picture }) => picture ?? [])
  const heading = useRef<HTMLHeadingElement>(null)
  const pieces = useRef<HTMLDivElement>(null)
  // A heart, a filter or a page number may take itself away when pressed; the focus must not fall out of the page with it.
  useEffect(() => {
    const next = chosen === 'favourites' ? heading : pieces
    if (hasChanged.current && document.activeElement === document.body) next.current?.focus({ preventScroll: true })
    hasChanged.current = true
  }, [chosen, items.length, links.chips.length, links.page])
  const hasChanged = useRef(false)
  const isBusy = useNavigation().state === 'loading'
  return (
    <>
      <header className={title === null ? undefined : css.banner} style={{ '--tint': category?.color ?? 'var(--accent)' }}>
        <div>
          {title === null ? (
            <h1 className="unseen">Gallery</h1>
          ) : (
            <h1 className={css.title} ref={heading} tabIndex={-1}>
              {title}
            </h1>
          )}
          <p className={title === null ? 'unseen' : css.count} aria-live="polite">
            {piecesText(count)}
          </p>
        </div>
        {title !== null && pictures.length > 0 && (
          <div className={css.pictures} data-several={!category || undefined}>
            {pictures.map((picture) => (
              <Picture key={picture.url} picture={picture} alt="" sizes="(min-width: 769px) 9rem, 5rem" className={css.picture} />
            ))}
          </div>
        )}
      </header>
      <div className={css.columns}>
        <CategoryList {...links} />
        <div className={css.pieces} id="pieces" ref={pieces} tabIndex={-1} aria-busy={isBusy}>
          {(count > 0 || !links.isPlain) && <GalleryFilter chosen={chosen} count={count} links={links} />}
          <ActiveFilters {...links} />
          {items.length === 0 ? (
            <NoItems {...links.empty} />
          ) : (
            <ul className={css.grid}>
              {items.map((item, index) => (
                <li key={item.id}>
                  <ItemCardView
                    item={item}
                    sizes={CARD_SIZES}
                    isFirst={index < FIRST_ROW}
                    isFavourite={favouriteIds && favouriteIds.includes(item.id)}
                  />
                </li>
              ))}
            </ul>
          )}
          <GalleryPages {...links} key={links.page} />
        </div>
      </div>
    </>
  )
}

/** Each filter is a link that takes it away. */
function ActiveFilters({ chips, plain }: Gallery['links']) {
  if (chips.length === 0) return null
  return (
    <ul className={css.chips} aria-label="Active filters">
      {chips.map(({ label, href }) => (
        <li key={href}>
          <Link to={href} preventScrollReset aria-label={`Remove ${label}`}>
            <span>{label}</span>
          </Link>
        </li>
      ))}
      <li>
        <Link to={plain} preventScrollReset>
          Clear all
        </Link>
      </li>
    </ul>
  )
}

function NoItems({ text, ways }: Gallery['links']['empty']) {
  return (
    <div className={css.empty}>
      <LooseKnot />
      <p>{text}</p>
      {ways.map(({ label, href }) => (
        <Link key={label} className="button quiet" to={href}>
          {label}
        </Link>
      ))}
    </div>
  )
}
