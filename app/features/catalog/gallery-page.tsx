/** The gallery: everything, one category, or one's favourites. */
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Cord } from '#app/ui/cord.tsx'
import { Picture } from '#app/ui/picture.tsx'
import type { Category, ItemCard } from './catalog.ts'
import { CategoryList } from './category-list.tsx'
import css from './gallery-page.module.css'
import { ItemCardView } from './item-card.tsx'

export type Gallery = {
  categories: Category[]
  /** what is shown; an unknown category has an id and no record (S-053) */
  chosen: { categoryId: string } | 'favourites' | 'everything'
  items: ItemCard[]
  /** null: nobody is signed in */
  favouriteIds: string[] | null
}

/** What the page is called; null for an unknown category, which has no title (S-053). */
export function galleryTitle({ categories, chosen }: Pick<Gallery, 'categories' | 'chosen'>): string | null {
  if (chosen === 'everything') return 'Everything Handmade'
  if (chosen === 'favourites') return 'Your Favorites'
  return categories.find((category) => category.id === chosen.categoryId)?.title ?? null
}

const CARD_SIZES = '(min-width: 1200px) 15rem, (min-width: 769px) 30vw, 46vw'
/** the first row of the widest page */
const FIRST_ROW = 4

export function GalleryPage(gallery: Gallery) {
  const { categories, chosen, items, favouriteIds } = gallery
  const title = galleryTitle(gallery)
  const category = typeof chosen === 'object' ? categories.find(({ id }) => id === chosen.categoryId) : undefined
  // A category opens with its own picture, the other views with a few.
  const few = (chosen === 'favourites' ? items : categories).slice(0, 4)
  const pictures = (category ? [category] : few).flatMap(({ picture }) => picture ?? [])
  const heading = useRef<HTMLHeadingElement>(null)
  // A heart pressed in the favourites takes its own card away; the focus must not fall out of the page with it.
  useEffect(() => {
    if (chosen === 'favourites' && document.activeElement === document.body && hasLeft.current) heading.current?.focus()
    hasLeft.current = true
  }, [chosen, items.length])
  const hasLeft = useRef(false)
  return (
    <>
      <header className={title === null ? undefined : css.banner} style={{ '--tint': category?.color ?? 'var(--accent)' }}>
        <div className={css.words}>
          {title === null ? (
            <h1 className="unseen">Gallery</h1>
          ) : (
            <h1 className={css.title} ref={heading} tabIndex={-1}>
              {title}
            </h1>
          )}
          {title !== null && <p className={css.count}>{items.length === 1 ? '1 piece' : `${items.length} pieces`}</p>}
        </div>
        {title !== null && pictures.length > 0 && (
          <div className={css.pictures} data-several={!category || undefined}>
            {pictures.map((picture) => (
              <Picture key={picture.url} picture={picture} alt="" sizes="(min-width: 769px) 11rem, 22vw" isFirst className={css.picture} />
            ))}
          </div>
        )}
      </header>
      <div className={css.columns}>
        <CategoryList categories={categories} chosen={chosen} hasFavourites={favouriteIds !== null} />
        {items.length === 0 ? (
          <NoItems chosen={chosen} />
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
      </div>
    </>
  )
}

function NoItems({ chosen }: Pick<Gallery, 'chosen'>) {
  return (
    <div className={css.empty}>
      <Cord />
      <p>
        {chosen === 'favourites'
          ? 'No favorites yet. Press the heart on a piece that you like, and it will wait for you here.'
          : 'There are no items here yet.'}
      </p>
      {chosen !== 'everything' && (
        <Link className="button quiet" to="/gallery/">
          See all items
        </Link>
      )}
    </div>
  )
}
