import { useEffect, useRef, type RefObject } from 'react'
import { Link, useLocation, useNavigation, type LinkProps } from 'react-router'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { GalleryFilter } from './gallery-filter.tsx'
import css from './gallery-page.module.css'
import type { Gallery } from './gallery.server.ts'
import { FIRST_ROW_SIZE } from './catalog.ts'
import { FavoriteForms, ItemCardView, ItemStrip, useFavorites } from './item-card.tsx'
import type { GalleryLinks } from './gallery-search.ts'
import { ChevronDown } from '#ui/icons.tsx'
import { prefetchingLink } from '#ui/link-props.ts'
import { keepPanel } from '#ui/message-panel-url.ts'
import { galleryFilterTexts as filterTexts, galleryTexts as texts } from './gallery-texts.ts'
import { itemPageTexts as itemTexts, pluralizePieces } from './texts.ts'

const CARD_SIZES = '(min-width: 75em) 15rem, (min-width: 40em) 30vw, 46vw'

export function GalleryPage(gallery: Gallery) {
  const { colors, view, items, count, suggestions, favoriteIds, links } = gallery
  const favorites = useFavorites(favoriteIds)
  const heading = useRef<HTMLHeadingElement>(null)
  const pieces = useRef<HTMLDivElement>(null)
  const hasChanged = useRef(false)
  // Moves the focus if the heart button, filter or page link that had it has disappeared.
  useEffect(() => {
    const next = view === 'favorites' ? heading : pieces
    if (hasChanged.current && document.activeElement === document.body) {
      next.current?.focus({ preventScroll: true })
    }
    hasChanged.current = true
  }, [view, items.length, links.chips.length, links.page])
  const isBusy = useNavigation().state === 'loading'
  return (
    <>
      <GalleryBanner
        gallery={gallery}
        heading={heading}
      />
      <div
        className={`grid gap-4 ${css.columns}`}
        style={gallery.swatches}
      >
        <CategoryList {...links} />
        <div
          className={`grid gap-4 ${css.pieces}`}
          id="pieces"
          ref={pieces}
          tabIndex={-1}
          aria-busy={isBusy}
        >
          {(count > 0 || !links.isPlain) && (
            <GalleryFilter
              view={view}
              count={count}
              colors={colors}
              links={links}
            />
          )}
          <ActiveFilters {...links} />
          {gallery.isClose && <p className="text-soft m-0">{texts.closeMatches}</p>}
          {items.length === 0 ? (
            <NoItems {...links} />
          ) : (
            <ul className={`list-none grid gap-4 ${css.grid}`}>
              {items.map((item, index) => (
                <li key={item.id}>
                  <ItemCardView
                    item={item}
                    sizes={CARD_SIZES}
                    isFirst={index < FIRST_ROW_SIZE}
                    isFavorite={favorites && favorites.has(item.id)}
                  />
                </li>
              ))}
            </ul>
          )}
          {favorites && <FavoriteForms />}
          {suggestions.length > 0 && (
            <ItemStrip
              title={itemTexts.mostOrdered}
              items={suggestions}
            />
          )}
          <GalleryPages
            {...links}
            key={links.page}
          />
        </div>
      </div>
    </>
  )
}

type BannerProps = { gallery: Gallery; heading: RefObject<HTMLHeadingElement | null> }

function GalleryBanner({ gallery, heading }: BannerProps) {
  const { view, title, items, count, links } = gallery
  const category = links.isCategory ? links.views.find(({ isChosen }) => isChosen) : undefined
  const categories = category ? [category] : links.views
  const images = (view === 'favorites' ? items : categories)
    .flatMap(({ image }) => image ?? [])
    .slice(0, 4)
  return (
    <header
      className={title === null ? undefined : css.banner}
      style={{ '--tint': category?.color ?? 'var(--accent)' }}
    >
      <div>
        {title === null ? (
          <h1 className="sr-only">{texts.title}</h1>
        ) : (
          <h1
            className={`m-0 ${css.title}`}
            ref={heading}
            tabIndex={-1}
          >
            {title}
          </h1>
        )}
        <p
          className={title === null ? 'sr-only' : css.count}
          aria-live="polite"
        >
          {pluralizePieces(count)}
        </p>
      </div>
      {title !== null && images.length > 0 && (
        <div
          className={`flex-none ${css.images}`}
          data-several={!category || undefined}
        >
          {images.map((image) => (
            <ResponsiveImage
              key={image.url}
              image={image}
              alt=""
              sizes="(min-width: 48.0625em) 9rem, 5rem"
              className={`rounded-full ${css.image}`}
            />
          ))}
        </div>
      )}
    </header>
  )
}

type PanelLinkProps = Omit<LinkProps, 'to'> & { to: string; hash?: string }

function PanelLink({ to, hash = '', ...attributes }: PanelLinkProps) {
  const { search } = useLocation()
  return (
    <Link
      to={keepPanel(to, search) + hash}
      {...attributes}
    />
  )
}

function ActiveFilters({ chips, plain }: GalleryLinks) {
  if (chips.length === 0) return null
  return (
    <ul
      className={`whitespace-nowrap ${css.chips}`}
      aria-label={filterTexts.activeFilters}
    >
      {chips.map(({ label, href }) => (
        <li key={href}>
          <PanelLink
            to={href}
            preventScrollReset
            aria-label={filterTexts.remove(label)}
          >
            <span>{label}</span>
          </PanelLink>
        </li>
      ))}
      <li>
        <PanelLink
          to={plain}
          preventScrollReset
        >
          {filterTexts.clearAll}
        </PanelLink>
      </li>
    </ul>
  )
}

function NoItems({ empty: { text, ways, categories } }: GalleryLinks) {
  return (
    <div className={`grid gap-4 text-center ${css.empty}`}>
      <LooseKnot />
      <p>{text}</p>
      {ways.map(({ label, href }) => (
        <PanelLink
          key={label}
          className="button quiet"
          to={href}
        >
          {label}
        </PanelLink>
      ))}
      {categories.length > 0 && (
        <p className="flex flex-wrap gap-3 justify-center">
          {categories.map(({ title, href }) => (
            <PanelLink
              key={href}
              to={href}
              className="tap"
            >
              {title}
            </PanelLink>
          ))}
        </p>
      )}
    </div>
  )
}

function GalleryPages({ page, steps }: GalleryLinks) {
  if (steps.length === 0) return null
  return (
    <nav aria-label={texts.pages}>
      <ul className={`row ${css.pages}`}>
        {steps.map(({ label, href, rel, name }, index) => (
          <li key={index}>
            {href ? (
              <PanelLink
                to={href}
                hash="#pieces"
                rel={rel}
                aria-label={name}
                aria-current={label === String(page) ? 'page' : undefined}
              >
                {label}
              </PanelLink>
            ) : (
              label
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function CategoryList({ views, isCategory }: Pick<GalleryLinks, 'views' | 'isCategory'>) {
  return (
    <div className={css.side}>
      <h2 className="text-lg">{texts.categories}</h2>
      {/* The `key` closes the list when the visitor opens another category. */}
      <details
        className={`fold ${css.panel}`}
        key={views.findIndex(({ isChosen }) => isChosen)}
        open={!isCategory}
      >
        <summary className="justify-between">
          {texts.categories}
          <ChevronDown size={20} />
        </summary>
        <nav aria-label={texts.categories}>
          <ul className={`list-none ${css.list}`}>
            {views.map(({ title, initial, href, isChosen, color, image }) => (
              <li
                key={href}
                style={{ '--tint': color }}
              >
                <PanelLink
                  to={href}
                  aria-current={isChosen ? 'page' : undefined}
                  {...prefetchingLink}
                  title={title}
                >
                  <i data-initial={initial}>
                    {image && (
                      <ResponsiveImage
                        image={image}
                        alt=""
                        sizes="4rem"
                      />
                    )}
                  </i>
                  <span className="line-clamp-2">{title}</span>
                </PanelLink>
              </li>
            ))}
          </ul>
        </nav>
      </details>
    </div>
  )
}
