/** The item page's pictures: a large one and thumbnails that choose it (ITEM-01, ITEM-02, S-061). */
import { useState, type MouseEvent } from 'react'
import { Link } from 'react-router'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, type Item } from './catalog.ts'
import css from './item-pictures.module.css'

/** `first`: index of the picture that the address asks for. */
export function ItemPictures({ item, first }: { item: Item; first: number }) {
  const [index, setIndex] = useState(first)
  const shown = item.pictures[index] ?? item.pictures[0]
  if (!shown) return <div className={css.frame} />
  const worn = item.colors.filter((color) => shown.colorIds.includes(color.id)).map(colorName)
  const choose = (wanted: number) => (event: MouseEvent) => {
    // The link does it without script; with it the picture changes at once. A new tab stays a new tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setIndex(wanted)
  }
  return (
    <div className={css.pictures}>
      <figure className={css.figure}>
        <div className={css.frame}>
          <Picture
            key={shown.id}
            picture={shown.picture}
            alt={worn.length > 0 ? `${item.name} in ${worn.join(', ')}` : item.name}
            sizes="(min-width: 1200px) 38rem, (min-width: 769px) 50vw, 92vw"
            isFirst
            className={css.picture}
          />
          {!shown.isAvailable && <span className={css.mark}>Not available</span>}
        </div>
        <figcaption className={css.caption} aria-live="polite">
          {worn.length > 0 ? `Shown in ${worn.join(', ')}` : `Picture ${item.pictures.indexOf(shown) + 1} of ${item.pictures.length}`}
        </figcaption>
      </figure>
      {item.pictures.length > 1 && (
        <ul className={css.thumbs} aria-label="Pictures">
          {item.pictures.map(({ id, picture, isAvailable }, at) => (
            <li key={id}>
              <Link
                to={`?picture=${at + 1}`}
                replace
                preventScrollReset
                onClick={choose(at)}
                aria-current={picture === shown.picture ? 'true' : undefined}
                aria-label={`Picture ${at + 1} of ${item.pictures.length}${isAvailable ? '' : ', not available'}`}
                className={css.thumb}
              >
                <Picture picture={picture} alt="" sizes="5rem" className={css.picture} />
                {!isAvailable && <span className={css.veil} />}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
