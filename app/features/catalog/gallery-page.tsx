import { useEffect, useRef, type CSSProperties } from 'react'
import { Link, useNavigation } from 'react-router'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { GalleryFilter } from './gallery-filter.tsx'
import css from './gallery-page.module.css'
import type { Gallery } from './gallery.server.ts'
import { FIRST_ROW, piecesText } from './catalog.ts'
import { FavouriteForms, ItemCardView, useFavourites } from './item-card.tsx'
import type { GalleryLinks } from './gallery-search.ts'
import cssGalleryPages from './gallery-pages.module.css'
import { ChevronDown } from '#app/ui/icons.tsx'
import { quickLink } from '#app/ui/quick-link.ts'
import cssCategoryList from './category-list.module.css'

const CARD_SIZES = '(min-width: 1200px) 15rem, (min-width: 769px) 30vw, 46vw'

export function GalleryPage(gallery: Gallery) {
  const { swatches, colors, chosen, title, items, count, favouriteIds, links } = gallery
  const category = links.isCategory ? links.views.find(({ isChosen }) => isChosen) : undefined
  // A category opens with its own picture, the other views with a few.
  const shown = category ? [category] : chosen === 'favourites' ? items : links.views
  const pictures = shown.flatMap(({ picture }) => picture ?? []).slice(0, 4)
  const favourites = useFavourites(favouriteIds)
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
            <h1 className={`flush ${css.title}`} ref={heading} tabIndex={-1}>
              {title}
            </h1>
          )}
          <p className={title === null ? 'unseen' : css.count} aria-live="polite">
            {piecesText(count)}
          </p>
        </div>
        {title !== null && pictures.length > 0 && (
          <div className={`rigid ${css.pictures}`} data-several={!category || undefined}>
            {pictures.map((picture) => (
              <Picture
                key={picture.url}
                picture={picture}
                alt=""
                sizes="(min-width: 769px) 9rem, 5rem"
                className={`round ${css.picture}`}
              />
            ))}
          </div>
        )}
      </header>
      <div className={`stack ${css.columns}`} style={swatches as CSSProperties}>
        <CategoryList {...links} />
        <div className={`stack ${css.pieces}`} id="pieces" ref={pieces} tabIndex={-1} aria-busy={isBusy}>
          {(count > 0 || !links.isPlain) && <GalleryFilter chosen={chosen} count={count} colors={colors} links={links} />}
          <ActiveFilters {...links} />
          {items.length === 0 ? (
            <NoItems {...links.empty} />
          ) : (
            <ul className={`bare-list stack ${css.grid}`}>
              {items.map((item, index) => (
                <li key={item.id}>
                  <ItemCardView
                    item={item}
                    sizes={CARD_SIZES}
                    isFirst={index < FIRST_ROW}
                    isFavourite={favourites && favourites.has(item.id)}
                  />
                </li>
              ))}
            </ul>
          )}
          {favourites && <FavouriteForms />}
          <GalleryPages {...links} key={links.page} />
        </div>
      </div>
    </>
  )
}

function ActiveFilters({ chips, plain }: Gallery['links']) {
  if (chips.length === 0) return null
  return (
    <ul className={`unbroken ${css.chips}`} aria-label="Active filters">
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
    <div className={`stack centered-text ${css.empty}`}>
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

function GalleryPages({ page, steps }: GalleryLinks) {
  if (steps.length === 0) return null
  return (
    <nav aria-label="Pages">
      <ul className={`cluster ${cssGalleryPages.pages}`}>
        {steps.map(({ label, href, rel, name }, at) => (
          <li key={at}>
            {href ? (
              <Link to={href} rel={rel} aria-label={name} aria-current={label === String(page) ? 'page' : undefined}>
                {label}
              </Link>
            ) : (
              label
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A fold with a strip of pictures on phones, a list at the side on wide screens: the style sheet decides. */
function CategoryList({ views, isCategory }: Pick<GalleryLinks, 'views' | 'isCategory'>) {
  return (
    <div className={cssCategoryList.side}>
      <h2 className="large">Categories</h2>
      {/* The key closes it again once a category has been chosen. */}
      <details className={`fold ${cssCategoryList.panel}`} key={views.findIndex(({ isChosen }) => isChosen)} open={!isCategory}>
        <summary className="apart">
          Categories
          <ChevronDown aria-hidden size={20} />
        </summary>
        <nav aria-label="Categories">
          <ul className={`bare-list ${cssCategoryList.list}`}>
            {views.map(({ title, href, isChosen, color, picture }) => (
              <li key={href} style={{ '--tint': color }}>
                <Link to={href} aria-current={isChosen ? 'page' : undefined} {...quickLink} title={title}>
                  <i>{picture && <Picture picture={picture} alt="" sizes="4rem" />}</i>
                  <span className="two-lines">{title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </details>
    </div>
  )
}
