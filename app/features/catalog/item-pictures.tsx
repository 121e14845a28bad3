import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { Cord } from '#app/ui/cord.tsx'
import { Picture } from '#app/ui/picture.tsx'
import type { Item } from './catalog.ts'
import css from './item-pictures.module.css'
import type { ItemZoom } from './item-zoom.tsx'
import { pictureByKey, PictureStrip } from './picture-strip.tsx'
import { itemPictureTexts as texts, stockTexts } from './texts.ts'
import {
  nameWithStockHint,
  PICTURE_ID,
  selectionSearch,
  imageColors,
  type SelectedImage,
  takeOverClick,
} from './selected-image.ts'

type Props = { item: Item; shown: SelectedImage; show: (next: SelectedImage) => void }

// Few visitors enlarge an image, so the code of the zoom is loaded only when the pointer or the focus reaches an image.
const loadZoom = () => import('./item-zoom.tsx')
const preloadZoom = () => void loadZoom().catch(() => {})

export function ItemPictures({ item, shown, show }: Props) {
  const hasScript = useHydrated()
  const [Zoom, setZoom] = useState<typeof ItemZoom | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const thumbs = useRef<HTMLUListElement>(null)
  // The neighboring images are loaded when the visitor reaches the current image by pointer, touch or keyboard.
  const [isNear, setNear] = useState(false)
  const { pictures } = item
  const index = Math.min(shown.index, pictures.length - 1)
  const picture = pictures[index]
  useEffect(() => {
    const [row, thumb] = [thumbs.current, thumbs.current?.children[index]]
    if (row && thumb instanceof HTMLElement)
      row.scrollLeft = thumb.offsetLeft - (row.clientWidth - thumb.clientWidth) / 2
  }, [index])
  if (!picture)
    return (
      <div className="slim">
        <div className={`stack soft ${css.none}`}>
          <Cord />
          <p>{texts.none}</p>
        </div>
      </div>
    )
  const showAt = (next: number) => show({ index: next, colorId: null })
  const worn = imageColors(item, picture, nameWithStockHint)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const next =
      Zoom || event.altKey || event.metaKey ? null : pictureByKey(event.key, index, pictures.length)
    if (next === null) return
    event.preventDefault()
    showAt(next)
    // The focus moves to the image or thumbnail that is now selected.
    const list = (event.target as Element).closest('ul')
    list?.children[next]
      ?.querySelector('a')
      ?.focus({ preventScroll: list.parentElement !== event.currentTarget })
  }
  const step = (to: number, label: string) =>
    pictures[to] && (
      <Link
        to={selectionSearch({ index: to, colorId: null })}
        onClick={(event) => takeOverClick(event) && showAt(to)}
        aria-label={label}
        className={`round no-print ${css.step}`}
        data-to={to > index ? 'next' : 'previous'}
      />
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the arrow keys of the links inside it
    <div
      className="slim"
      ref={box}
      onKeyDown={onKeyDown}
    >
      <figure className={css.figure}>
        <div
          className={`anchor raised ${css.frame}`}
          id={PICTURE_ID}
          onPointerEnter={() => setNear(true)}
          onFocus={() => setNear(true)}
        >
          <PictureStrip
            index={index}
            onSwipe={showAt}
            pictures={pictures.map((each, at) => ({
              id: each.id,
              view: (
                <a
                  href={each.picture.url}
                  className={css.large}
                  onPointerEnter={preloadZoom}
                  onFocus={preloadZoom}
                  tabIndex={hasScript && at !== index ? -1 : undefined}
                  onClick={(event) => {
                    if (!takeOverClick(event)) return
                    if (at !== index) showAt(at)
                    loadZoom().then(
                      (zoom) => setZoom(() => zoom.ItemZoom),
                      // If the code of the zoom cannot be loaded, the browser opens the image file.
                      () => window.location.assign(each.picture.url),
                    )
                  }}
                >
                  <Picture
                    picture={each.picture}
                    alt={texts.alt(item.name, imageColors(item, each))}
                    sizes="(min-width: 75em) 38rem, (min-width: 48.0625em) 50vw, 100vw"
                    isFirst={at === shown.index}
                    isNext={isNear && Math.abs(at - index) === 1}
                    className="fill"
                  />
                  <span className="visually-hidden">{texts.enlarge}</span>
                  {!each.isAvailable && (
                    <span className={`small strong round ${css.mark}`}>
                      {stockTexts.notAvailable}
                    </span>
                  )}
                </a>
              ),
            }))}
          />
          <span className={`in-middle round no-print ${css.lens}`} />
          {step(index - 1, texts.previous)}
          {step(index + 1, texts.next)}
        </div>
        <figcaption
          className={`apart soft small ${css.caption}`}
          aria-live="polite"
        >
          {worn ? texts.shownIn(worn) : texts.position(index + 1, pictures.length)}
          {worn && pictures.length > 1 && (
            <span className="rigid tabular">{` ${index + 1} / ${pictures.length}`}</span>
          )}
        </figcaption>
      </figure>
      {pictures.length > 1 && (
        <ul
          ref={thumbs}
          className={`anchor no-print ${css.thumbs}`}
          aria-label={texts.pictures}
        >
          {pictures.map(({ id, picture: each, isAvailable }, at) => (
            <li key={id}>
              <Link
                to={selectionSearch({ index: at, colorId: null })}
                onClick={(event) => takeOverClick(event) && showAt(at)}
                aria-current={at === index ? 'true' : undefined}
                aria-label={(isAvailable ? texts.position : texts.unavailablePosition)(
                  at + 1,
                  pictures.length,
                )}
                className={`anchor ${css.thumb}`}
              >
                <Picture
                  picture={each}
                  alt=""
                  sizes="5rem"
                  className="fill"
                />
                {!isAvailable && <span className={css.veil} />}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {Zoom && (
        <Zoom
          item={item}
          index={index}
          showAt={showAt}
          onClose={() => {
            setZoom(null)
            // While the zoom was open, the zoom had its own entry in the browser's history. This call writes the selected image into the URL of the item page.
            show(shown)
            // The focus moves to the current image, because the visitor may have changed the image in the zoom.
            box.current
              ?.querySelector<HTMLElement>(`figure li:nth-child(${index + 1}) a`)
              ?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}
