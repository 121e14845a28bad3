import { useEffect, useRef, type CSSProperties } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { GalleryFilter } from './gallery-filter.tsx'
import css from './gallery-page.module.css'
import type { Gallery } from './gallery.server.ts'
import { FIRST_ROW_SIZE } from './catalog.ts'
import { FavoriteForms, ItemCardView, ItemStrip, useFavorites } from './item-card.tsx'
import type { GalleryLinks } from './gallery-search.ts'
import cssGalleryPages from './gallery-pages.module.css'
import { ChevronDown } from '#app/ui/icons.tsx'
import { prefetchingLink } from '#app/ui/link-props.ts'
import { keepPanel } from '#app/ui/message-panel-url.ts'
import cssCategoryList from './category-list.module.css'
import { galleryFilterTexts as filterTexts, galleryTexts as texts } from './gallery-texts.ts'
import { itemPageTexts as itemTexts, pluralizePieces } from './texts.ts'

const CARD_SIZES = '(min-width: 75em) 15rem, (min-width: 48.0625em) 30vw, 46vw'

export function GalleryPage(gallery: Gallery) {
  const {
    swatches,
    colors,
    chosen,
    title,
    items,
    count,
    isClose,
    suggestions,
    favoriteIds,
    links,
  } = gallery
  const category = links.isCategory ? links.views.find(({ isChosen }) => isChosen) : undefined
  // The banner of a category shows the category's image. Other banners show up to four images of favorites or categories.
  const shown = category ? [category] : chosen === 'favorites' ? items : links.views
  const pictures = shown.flatMap(({ picture }) => picture ?? []).slice(0, 4)
  const favorites = useFavorites(favoriteIds)
  const heading = useRef<HTMLHeadingElement>(null)
  const pieces = useRef<HTMLDivElement>(null)
  // A heart button, filter or page link may disappear when it is clicked. Then the focus moves to the heading or to the list of items.
  useEffect(() => {
    const next = chosen === 'favorites' ? heading : pieces
    if (hasChanged.current && document.activeElement === document.body)
      next.current?.focus({ preventScroll: true })
    hasChanged.current = true
  }, [chosen, items.length, links.chips.length, links.page])
  const hasChanged = useRef(false)
  const isBusy = useNavigation().state === 'loading'
  return (
    <>
      <header
        className={title === null ? undefined : css.banner}
        style={{ '--tint': category?.color ?? 'var(--accent)' }}
      >
        <div>
          {title === null ? (
            <h1 className="visually-hidden">{texts.title}</h1>
          ) : (
            <h1
              className={`flush ${css.title}`}
              ref={heading}
              tabIndex={-1}
            >
              {title}
            </h1>
          )}
          <p
            className={title === null ? 'visually-hidden' : css.count}
            aria-live="polite"
          >
            {pluralizePieces(count)}
          </p>
        </div>
        {title !== null && pictures.length > 0 && (
          <div
            className={`rigid ${css.pictures}`}
            data-several={!category || undefined}
          >
            {pictures.map((picture) => (
              <Picture
                key={picture.url}
                picture={picture}
                alt=""
                sizes="(min-width: 48.0625em) 9rem, 5rem"
                className={`round ${css.picture}`}
              />
            ))}
          </div>
        )}
      </header>
      <div
        className={`stack ${css.columns}`}
        style={swatches as CSSProperties}
      >
        <CategoryList {...links} />
        <div
          className={`stack ${css.pieces}`}
          id="pieces"
          ref={pieces}
          tabIndex={-1}
          aria-busy={isBusy}
        >
          {(count > 0 || !links.isPlain) && (
            <GalleryFilter
              chosen={chosen}
              count={count}
              colors={colors}
              links={links}
            />
          )}
          <ActiveFilters {...links} />
          {isClose && <p className="soft flush">{texts.closeMatches}</p>}
          {items.length === 0 ? (
            <NoItems {...links} />
          ) : (
            <ul className={`bare-list stack ${css.grid}`}>
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

function ActiveFilters({ chips, plain }: Gallery['links']) {
  const { search } = useLocation()
  if (chips.length === 0) return null
  return (
    <ul
      className={`unbroken ${css.chips}`}
      aria-label={filterTexts.activeFilters}
    >
      {chips.map(({ label, href }) => (
        <li key={href}>
          <Link
            to={keepPanel(href, search)}
            preventScrollReset
            aria-label={filterTexts.remove(label)}
          >
            <span>{label}</span>
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={keepPanel(plain, search)}
          preventScrollReset
        >
          {filterTexts.clearAll}
        </Link>
      </li>
    </ul>
  )
}

/** Is shown if the list of items is empty. After a search without results, it shows links to whole categories. */
function NoItems({ empty: { text, ways, categories } }: GalleryLinks) {
  const { search } = useLocation()
  return (
    <div className={`stack centered-text ${css.empty}`}>
      <LooseKnot />
      <p>{text}</p>
      {ways.map(({ label, href }) => (
        <Link
          key={label}
          className="button quiet"
          to={keepPanel(href, search)}
        >
          {label}
        </Link>
      ))}
      {categories.length > 0 && (
        <p className="wrap centered">
          {categories.map(({ title, href }) => (
            <Link
              key={href}
              to={keepPanel(href, search)}
              className="tap"
            >
              {title}
            </Link>
          ))}
        </p>
      )}
    </div>
  )
}

function GalleryPages({ page, steps }: GalleryLinks) {
  const { search } = useLocation()
  if (steps.length === 0) return null
  return (
    <nav aria-label={texts.pages}>
      <ul className={`cluster ${cssGalleryPages.pages}`}>
        {steps.map(({ label, href, rel, name }, at) => (
          <li key={at}>
            {href ? (
              <Link
                to={`${keepPanel(href, search)}#pieces`}
                rel={rel}
                aria-label={name}
                aria-current={label === String(page) ? 'page' : undefined}
              >
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

/** On phones, CSS shows the categories as a list that the visitor opens. On wide screens, the list is at the side. */
function CategoryList({ views, isCategory }: Pick<GalleryLinks, 'views' | 'isCategory'>) {
  const { search } = useLocation()
  return (
    <div className={cssCategoryList.side}>
      <h2 className="large">{texts.categories}</h2>
      {/* When the visitor chooses a category, the key changes, and the new list is closed. */}
      <details
        className={`fold ${cssCategoryList.panel}`}
        key={views.findIndex(({ isChosen }) => isChosen)}
        open={!isCategory}
      >
        <summary className="apart">
          {texts.categories}
          <ChevronDown
            aria-hidden
            size={20}
          />
        </summary>
        <nav aria-label={texts.categories}>
          <ul className={`bare-list ${cssCategoryList.list}`}>
            {views.map(({ title, initial, href, isChosen, color, picture }) => (
              <li
                key={href}
                style={{ '--tint': color }}
              >
                <Link
                  to={keepPanel(href, search)}
                  aria-current={isChosen ? 'page' : undefined}
                  {...prefetchingLink}
                  title={title}
                >
                  <i data-initial={initial}>
                    {picture && (
                      <Picture
                        picture={picture}
                        alt=""
                        sizes="4rem"
                      />
                    )}
                  </i>
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
