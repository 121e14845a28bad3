import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
} from 'react'
import { flushSync } from 'react-dom'
import { ChevronLeft, ChevronRight, X } from '#ui/icons.tsx'
import type { ImageView } from '#ui/responsive-image.tsx'
import { sourceSet } from '#ui/image-url.ts'
import type { Item } from './catalog.ts'
import css from './item-zoom.module.css'
import { imageByKey, ImageStrip } from './image-strip.tsx'
import { itemImageTexts, itemZoomTexts as texts, stockTexts } from './texts.ts'

type ItemZoomProps = {
  item: Pick<Item, 'name' | 'images'>
  index: number
  showAt: (index: number) => void
  onClose: () => void
}

export function ItemZoom({ item, index, showAt, onClose }: ItemZoomProps) {
  const { dialog, goBack } = useDialogInHistory(onClose)
  const [enlargedIndex, setEnlargedIndex] = useState<number | null>(null)
  const { images } = item
  const isEnlarged = enlargedIndex === index
  const goTo = (next: number) => {
    setEnlargedIndex(null)
    showAt(next)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the arrow keys of the buttons inside it
    <dialog
      ref={dialog}
      className={`m-0 ${css.zoom}`}
      aria-label={texts.title(item.name)}
      onClose={goBack}
      onKeyDown={(event) => {
        const next = isEnlarged ? null : imageByKey(event.key, index, images.length)
        if (next === null) return
        event.preventDefault()
        goTo(next)
      }}
    >
      <header className={`flex items-center justify-between ${css.bar}`}>
        <p
          aria-live="polite"
          className="m-0 tabular-nums"
        >
          {texts.position(index + 1, images.length)}
          {!images[index]?.isAvailable && (
            <span className={`font-semibold ${css.mark}`}> {stockTexts.notAvailable}</span>
          )}
        </p>
        <IconButton
          label={texts.close}
          Icon={X}
          onClick={() => dialog.current?.close()}
        />
      </header>
      <ImageStrip
        index={index}
        onSwipe={goTo}
        isHeld={isEnlarged}
        images={images.map(({ id, image }, imageIndex) => ({
          id,
          view: (
            <Slide
              image={image}
              number={imageIndex + 1}
              distance={Math.abs(imageIndex - index)}
              isEnlarged={isEnlarged}
              toggle={() => setEnlargedIndex(isEnlarged ? null : imageIndex)}
            />
          ),
        }))}
      />
      <div className={`flex items-center justify-between ${css.bar}`}>
        <IconButton
          label={itemImageTexts.previous}
          Icon={ChevronLeft}
          disabled={index === 0}
          onClick={() => goTo(index - 1)}
        />
        <span aria-hidden="true">{isEnlarged ? texts.zoomOut : texts.zoomIn}</span>
        <IconButton
          label={itemImageTexts.next}
          Icon={ChevronRight}
          disabled={index === images.length - 1}
          onClick={() => goTo(index + 1)}
        />
      </div>
    </dialog>
  )
}

/** The dialog has its own history entry, so that the Back button closes it. */
function useDialogInHistory(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (dialog.current?.open) return
    dialog.current?.showModal()
    history.pushState(history.state, '')
  }, [])
  const hasLeft = useRef(false)
  const leave = useEffectEvent((event: PopStateEvent) => {
    // React Router would load the page's data again.
    event.stopImmediatePropagation()
    hasLeft.current = true
    dialog.current?.close()
    onClose()
  })
  useEffect(() => {
    const onPop = (event: PopStateEvent) => leave(event)
    addEventListener('popstate', onPop, { capture: true })
    return () => removeEventListener('popstate', onPop, { capture: true })
  }, [])
  return { dialog, goBack: () => hasLeft.current || history.back() }
}

type IconButtonProps = {
  label: string
  Icon: typeof X
  disabled?: boolean
  onClick: () => void
}

const IconButton = ({ label, Icon, ...attributes }: IconButtonProps) => (
  <button
    type="button"
    className="icon-button"
    aria-label={label}
    {...attributes}
  >
    <Icon />
  </button>
)

type SlideProps = {
  image: ImageView
  number: number
  distance: number
  isEnlarged: boolean
  toggle: () => void
}

function Slide({ image, number, distance, isEnlarged, toggle }: SlideProps) {
  const isCurrent = distance === 0
  const sizes = isEnlarged ? `${image.width}px` : '100vw'
  const hasFullSize = image.widths.includes(image.width)
  const original = hasFullSize ? undefined : `${image.url} ${image.width}w`
  return (
    <div
      className={`size-full ${css.slide}`}
      data-large={(isEnlarged && isCurrent) || undefined}
    >
      <button
        type="button"
        className={`size-full ${css.image}`}
        tabIndex={isCurrent ? undefined : -1}
        aria-label={texts.fullSize(number)}
        aria-pressed={isEnlarged && isCurrent}
        style={{ '--full': `${image.width}px` }}
        onClick={(event) => {
          const button = event.currentTarget
          flushSync(toggle)
          zoomAt(button, event)
        }}
        onPointerMove={(event) =>
          isEnlarged && event.pointerType === 'mouse' && zoomAt(event.currentTarget, event)
        }
      >
        {distance < 2 && (
          <picture>
            {image.widths.length > 0 && (!isEnlarged || hasFullSize) && (
              <source
                type="image/avif"
                srcSet={sourceSet(image, 'avif')}
                sizes={sizes}
              />
            )}
            <img
              src={image.url}
              srcSet={[sourceSet(image), original].filter(Boolean).join(', ')}
              sizes={sizes}
              width={image.width}
              height={image.height}
              alt=""
            />
          </picture>
        )}
      </button>
    </div>
  )
}

function zoomAt(button: Element, { clientX, clientY, detail, type }: MouseEvent) {
  const slide = button.parentElement!
  const { left, top, width, height } = slide.getBoundingClientRect()
  const isByKeyboard = type === 'click' && detail === 0
  const x = isByKeyboard ? 0.5 : (clientX - left) / width
  const y = isByKeyboard ? 0.5 : (clientY - top) / height
  slide.scrollTo({
    left: x * (slide.scrollWidth - width),
    top: y * (slide.scrollHeight - height),
    behavior: 'instant',
  })
}
