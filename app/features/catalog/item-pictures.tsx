import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { useHasScript } from '#app/ui/back-field.tsx'
import { Cord } from '#app/ui/cord.tsx'
import { Picture } from '#app/ui/picture.tsx'
import type { Item } from './catalog.ts'
import css from './item-pictures.module.css'
import type { ItemZoom } from './item-zoom.tsx'
import { pictureByKey, PictureStrip } from './picture-strip.tsx'
import { nameWithHint, PICTURE_ID, searchOf, wornColors, type Shown, takesOver } from './shown-picture.ts'

type Props = { item: Item; shown: Shown; show: (wanted: Shown) => void }

// Loaded when somebody is about to look closer: few do, and the page is lighter for all.
const loadZoom = () => import('./item-zoom.tsx')
const warm = () => void loadZoom().catch(() => {})

export function ItemPictures({ item, shown, show }: Props) {
  const hasScript = useHasScript()
  const [Zoom, setZoom] = useState<typeof ItemZoom | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const thumbs = useRef<HTMLUListElement>(null)
  // The pictures beside this one are fetched for a visitor who has come to it, with pointer, finger or key.
  const [isNear, setNear] = useState(false)
  const { pictures } = item
  const index = Math.min(shown.index, pictures.length - 1)
  const picture = pictures[index]
  // Scrolling is the document's: the chosen thumbnail comes to the middle of its row.
  useEffect(() => {
    const [row, thumb] = [thumbs.current, thumbs.current?.children[index]]
    if (row && thumb instanceof HTMLElement) row.scrollLeft = thumb.offsetLeft - (row.clientWidth - thumb.clientWidth) / 2
  }, [index])
  if (!picture)
    return (
      <div className="slim">
        <div className={`stack soft ${css.none}`}>
          <Cord />
          <p>No picture yet</p>
        </div>
      </div>
    )
  const showAt = (wanted: number) => show({ index: wanted, colorId: null })
  const worn = wornColors(item, picture, nameWithHint)
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const wanted = Zoom || event.altKey || event.metaKey ? null : pictureByKey(event.key, index, pictures.length)
    if (wanted === null) return
    event.preventDefault()
    showAt(wanted)
    // The focus goes along, in the strip as among the thumbnails.
    const list = (event.target as Element).closest('ul')
    list?.children[wanted]?.querySelector('a')?.focus({ preventScroll: list.parentElement !== event.currentTarget })
  }
  const step = (to: number, label: string) =>
    pictures[to] && (
      <Link
        to={searchOf({ index: to, colorId: null })}
        onClick={(event) => takesOver(event) && showAt(to)}
        aria-label={label}
        className={`round ${css.step}`}
        data-to={to > index ? 'next' : 'previous'}
      />
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears the arrow keys that bubble up from the links in it
    <div className="slim" ref={box} onKeyDown={onKeyDown}>
      <figure className={css.figure}>
        <div className={`anchor raised ${css.frame}`} id={PICTURE_ID} onPointerEnter={() => setNear(true)} onFocus={() => setNear(true)}>
          <PictureStrip
            index={index}
            onSwipe={showAt}
            pictures={pictures.map((each, at) => ({
              id: each.id,
              view: (
                <a
                  href={each.picture.url}
                  className={css.large}
                  onPointerEnter={warm}
                  onFocus={warm}
                  tabIndex={hasScript && at !== index ? -1 : undefined}
                  onClick={(event) => {
                    if (!takesOver(event)) return
                    if (at !== index) showAt(at)
                    loadZoom().then(
                      (zoom) => setZoom(() => zoom.ItemZoom),
                      // Without it the link leads where it leads without script.
                      () => window.location.assign(each.picture.url),
                    )
                  }}
                >
                  <Picture
                    picture={each.picture}
                    alt={wornColors(item, each) ? `${item.name} in ${wornColors(item, each)}` : item.name}
                    sizes="(min-width: 1200px) 38rem, (min-width: 769px) 50vw, 100vw"
                    isFirst={at === shown.index}
                    isNext={isNear && Math.abs(at - index) === 1}
                    className="fill"
                  />
                  <span className="unseen">, enlarge</span>
                  {!each.isAvailable && <span className={`small strong round ${css.mark}`}>Not available</span>}
                </a>
              ),
            }))}
          />
          <span className={`in-middle round ${css.lens}`} />
          {step(index - 1, 'Previous picture')}
          {step(index + 1, 'Next picture')}
        </div>
        <figcaption className={`apart soft small ${css.caption}`} aria-live="polite">
          {worn ? `Shown in ${worn}` : `Picture ${index + 1} of ${pictures.length}`}
          {worn && pictures.length > 1 && <span className="rigid tabular">{` ${index + 1} / ${pictures.length}`}</span>}
        </figcaption>
      </figure>
      {pictures.length > 1 && (
        <ul ref={thumbs} className={`anchor ${css.thumbs}`} aria-label="Pictures">
          {pictures.map(({ id, picture: each, isAvailable }, at) => (
            <li key={id}>
              <Link
                to={searchOf({ index: at, colorId: null })}
                onClick={(event) => takesOver(event) && showAt(at)}
                aria-current={at === index ? 'true' : undefined}
                aria-label={`Picture ${at + 1} of ${pictures.length}${isAvailable ? '' : ', not available'}`}
                className={`anchor ${css.thumb}`}
              >
                <Picture picture={each} alt="" sizes="5rem" className="fill" />
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
            // Back to the picture that is shown now, which need not be the one that was pressed.
            box.current?.querySelector<HTMLElement>(`figure li:nth-child(${index + 1}) a`)?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}
