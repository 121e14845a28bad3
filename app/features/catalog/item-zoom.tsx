import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
} from 'react'
import { flushSync } from 'react-dom'
import { ChevronLeft, ChevronRight, X } from '#app/ui/icons.tsx'
import type { PictureView } from '#app/ui/picture.tsx'
import { sourceSet } from '#app/ui/picture-url.ts'
import type { Item } from './catalog.ts'
import css from './item-zoom.module.css'
import { pictureByKey, PictureStrip } from './picture-strip.tsx'
import { itemPictureTexts, itemZoomTexts as texts, stockTexts } from './texts.ts'

type Props = {
  item: Pick<Item, 'name' | 'pictures'>
  index: number
  showAt: (index: number) => void
  onClose: () => void
}

function zoomAt(button: Element, { clientX, clientY, detail, type }: MouseEvent) {
  const slide = button.parentElement!
  const { left, top, width, height } = slide.getBoundingClientRect()
  const [x, y] =
    type === 'click' && detail === 0
      ? [0.5, 0.5]
      : [(clientX - left) / width, (clientY - top) / height]
  slide.scrollTo({
    left: x * (slide.scrollWidth - width),
    top: y * (slide.scrollHeight - height),
    behavior: 'instant',
  })
}

const hasFullSize = ({ width, widths }: PictureView): boolean => widths.includes(width)
const sources = (picture: PictureView): string =>
  [sourceSet(picture), hasFullSize(picture) ? undefined : `${picture.url} ${picture.width}w`]
    .filter(Boolean)
    .join(', ')

export function ItemZoom({ item, index, showAt, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Only the image with this index is enlarged. All other images fit in the screen.
  const [large, setLarge] = useState<number | null>(null)
  const { pictures } = item
  const isLarge = large === index
  // The dialog has its own entry in the browser's history, so that the Back button closes the dialog. [OWN-97]
  useLayoutEffect(() => {
    if (dialog.current?.open) return
    dialog.current?.showModal()
    history.pushState(history.state, '')
  }, [])
  const isLeft = useRef(false)
  const leave = useEffectEvent((event: PopStateEvent) => {
    // This `popstate` event must not reach React Router, because React Router would load the page again.
    event.stopImmediatePropagation()
    isLeft.current = true
    dialog.current?.close()
    onClose()
  })
  useEffect(() => {
    const onPop = (event: PopStateEvent) => leave(event)
    addEventListener('popstate', onPop, { capture: true })
    return () => removeEventListener('popstate', onPop, { capture: true })
  }, [])
  const go = (to: number) => {
    setLarge(null)
    showAt(to)
  }
  const step = (to: number, label: string, Icon: typeof X) => (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      disabled={!pictures[to]}
      onClick={() => go(to)}
    >
      <Icon aria-hidden />
    </button>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the arrow keys of the buttons inside it
    <dialog
      ref={dialog}
      className={`flush ${css.zoom}`}
      aria-label={texts.title(item.name)}
      onClose={() => isLeft.current || history.back()}
      onKeyDown={(event) => {
        // The arrow keys scroll an enlarged image. If the image is not enlarged, the arrow keys show another image.
        const next = isLarge ? null : pictureByKey(event.key, index, pictures.length)
        if (next === null) return
        event.preventDefault()
        go(next)
      }}
    >
      <header className={`aligned apart ${css.bar}`}>
        <p
          aria-live="polite"
          className="flush tabular"
        >
          {texts.position(index + 1, pictures.length)}
          {!pictures[index]?.isAvailable && (
            <span className={`strong ${css.mark}`}> {stockTexts.notAvailable}</span>
          )}
        </p>
        <button
          type="button"
          className="icon-button"
          aria-label={texts.close}
          onClick={() => dialog.current?.close()}
        >
          <X aria-hidden />
        </button>
      </header>
      <PictureStrip
        index={index}
        onSwipe={go}
        isHeld={isLarge}
        pictures={pictures.map(({ id, picture }, at) => ({
          id,
          view: (
            <div
              className={`fill ${css.slide}`}
              data-large={(isLarge && at === index) || undefined}
            >
              <button
                type="button"
                className={`fill ${css.picture}`}
                tabIndex={at === index ? undefined : -1}
                aria-label={texts.fullSize(at + 1)}
                aria-pressed={isLarge && at === index}
                style={{ '--full': `${picture.width}px` }}
                onClick={(event) => {
                  const button = event.currentTarget
                  flushSync(() => setLarge(isLarge ? null : at))
                  zoomAt(button, event)
                }}
                onPointerMove={(event) =>
                  isLarge && event.pointerType === 'mouse' && zoomAt(event.currentTarget, event)
                }
              >
                {Math.abs(at - index) < 2 && (
                  <picture>
                    {picture.widths.length > 0 && (!isLarge || hasFullSize(picture)) && (
                      <source
                        type="image/avif"
                        srcSet={sourceSet(picture, 'avif')}
                        sizes={isLarge ? `${picture.width}px` : '100vw'}
                      />
                    )}
                    <img
                      src={picture.url}
                      srcSet={sources(picture)}
                      sizes={isLarge ? `${picture.width}px` : '100vw'}
                      width={picture.width}
                      height={picture.height}
                      alt=""
                    />
                  </picture>
                )}
              </button>
            </div>
          ),
        }))}
      />
      <div className={`aligned apart ${css.bar}`}>
        {step(index - 1, itemPictureTexts.previous, ChevronLeft)}
        <span aria-hidden="true">{isLarge ? texts.zoomOut : texts.zoomIn}</span>
        {step(index + 1, itemPictureTexts.next, ChevronRight)}
      </div>
    </dialog>
  )
}
