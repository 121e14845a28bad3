import { useEffect, useRef, useState, type ComponentProps, type KeyboardEvent } from 'react'
import { Link } from 'react-router'
import { takeOverClick } from '#ui/link-props.ts'
import { useHydrated } from '#ui/redirect-field.tsx'
import { Cord } from '#ui/cord.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import type { Item } from './catalog.ts'
import css from './item-images.module.css'
import type { ItemZoom } from './item-zoom.tsx'
import { imageByKey, ImageStrip } from './image-strip.tsx'
import { itemImageTexts as texts, stockTexts } from './texts.ts'
import {
  nameWithStockHint,
  IMAGE_ID,
  selectionSearch,
  imageColors,
  type SelectedImage,
} from './selected-image.ts'

const loadZoom = () => import('./item-zoom.tsx')
const preloadZoom = () => void loadZoom().catch(() => {})

type ItemImagesProps = {
  item: Item
  selected: SelectedImage
  select: (next: SelectedImage) => void
}

export function ItemImages({ item, selected, select }: ItemImagesProps) {
  const [Zoom, setZoom] = useState<typeof ItemZoom | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const { images } = item
  const index = Math.min(selected.index, images.length - 1)
  if (images.length === 0) return <NoImages />

  const selectImage = (next: number) => select({ index: next, colorId: null })
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (Zoom || event.altKey || event.metaKey) return
    const next = imageByKey(event.key, index, images.length)
    if (next === null) return
    event.preventDefault()
    selectImage(next)
    const list = (event.target as Element).closest('ul')
    list?.children[next]
      ?.querySelector('a')
      ?.focus({ preventScroll: list.parentElement !== event.currentTarget })
  }
  const openZoom = (imageIndex: number, url: string) => {
    if (imageIndex !== index) selectImage(imageIndex)
    loadZoom().then(
      (zoom) => setZoom(() => zoom.ItemZoom),
      () => window.location.assign(url),
    )
  }
  const closeZoom = () => {
    setZoom(null)
    select(selected)
    box.current
      ?.querySelector<HTMLElement>(`figure li:nth-child(${index + 1}) a`)
      ?.focus({ preventScroll: true })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles the arrow keys of the links inside it
    <div
      className="min-w-0"
      ref={box}
      onKeyDown={onKeyDown}
    >
      <figure className={css.figure}>
        <LargeImages
          item={item}
          index={index}
          selectImage={selectImage}
          openZoom={openZoom}
        />
        <Caption
          item={item}
          index={index}
        />
      </figure>
      {images.length > 1 && (
        <Thumbnails
          images={images}
          index={index}
          selectImage={selectImage}
        />
      )}
      {Zoom && (
        <Zoom
          item={item}
          index={index}
          showAt={selectImage}
          onClose={closeZoom}
        />
      )}
    </div>
  )
}

const NoImages = () => (
  <div className="min-w-0">
    <div className={`grid gap-4 text-soft ${css.none}`}>
      <Cord />
      <p>{texts.none}</p>
    </div>
  </div>
)

type SelectImage = { selectImage: (index: number) => void }
type LargeImagesProps = SelectImage & {
  item: Item
  index: number
  openZoom: (index: number, url: string) => void
}

function LargeImages({ item, index, selectImage, openZoom }: LargeImagesProps) {
  const [isNear, setNear] = useState(false)
  const views = item.images.map((image, imageIndex) => ({
    id: image.id,
    view: (
      <LargeImage
        item={item}
        image={image}
        distance={Math.abs(imageIndex - index)}
        isNear={isNear}
        onOpen={() => openZoom(imageIndex, image.image.url)}
      />
    ),
  }))
  return (
    <div
      className={`relative bg-raised ${css.frame}`}
      id={IMAGE_ID}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
    >
      <ImageStrip
        index={index}
        onSwipe={selectImage}
        images={views}
      />
      <span className={`grid place-items-center rounded-full no-print ${css.lens}`} />
      {index > 0 && (
        <StepLink
          to={index - 1}
          direction="previous"
          selectImage={selectImage}
        />
      )}
      {index < item.images.length - 1 && (
        <StepLink
          to={index + 1}
          direction="next"
          selectImage={selectImage}
        />
      )}
    </div>
  )
}

type LargeImageProps = {
  item: Item
  image: Item['images'][number]
  distance: number
  isNear: boolean
  onOpen: () => void
}

function LargeImage({ item, image, distance, isNear, onOpen }: LargeImageProps) {
  const hasScript = useHydrated()
  return (
    <a
      href={image.image.url}
      className={css.large}
      onPointerEnter={preloadZoom}
      onFocus={preloadZoom}
      tabIndex={hasScript && distance > 0 ? -1 : undefined}
      onClick={(event) => takeOverClick(event) && onOpen()}
    >
      <ResponsiveImage
        image={image.image}
        alt={texts.alt(item.name, imageColors(item, image))}
        sizes="(min-width: 75em) 38rem, (min-width: 40em) 50vw, 100vw"
        isFirst={distance === 0}
        isNext={isNear && distance === 1}
        className="size-full"
      />
      <span className="sr-only">{texts.enlarge}</span>
      {!image.isAvailable && (
        <span className={`text-sm font-semibold rounded-full ${css.mark}`}>
          {stockTexts.notAvailable}
        </span>
      )}
    </a>
  )
}

type ImageLinkProps = SelectImage & Omit<ComponentProps<typeof Link>, 'to'> & { to: number }

const ImageLink = ({ to, selectImage, ...attributes }: ImageLinkProps) => (
  <Link
    to={selectionSearch({ index: to, colorId: null })}
    onClick={(event) => takeOverClick(event) && selectImage(to)}
    {...attributes}
  />
)

type StepLinkProps = SelectImage & { to: number; direction: 'previous' | 'next' }

const StepLink = ({ direction, ...link }: StepLinkProps) => (
  <ImageLink
    aria-label={texts[direction]}
    className={`rounded-full no-print ${css.step}`}
    data-to={direction}
    {...link}
  />
)

function Caption({ item, index }: { item: Item; index: number }) {
  const count = item.images.length
  const colors = imageColors(item, item.images[index]!, nameWithStockHint)
  return (
    <figcaption
      className={`justify-between text-soft text-sm ${css.caption}`}
      aria-live="polite"
    >
      {colors ? texts.shownIn(colors) : texts.position(index + 1, count)}
      {colors && count > 1 && (
        <span className="flex-none tabular-nums">{` ${index + 1} / ${count}`}</span>
      )}
    </figcaption>
  )
}

type ThumbnailsProps = SelectImage & Pick<Item, 'images'> & { index: number }

function Thumbnails({ images, index, selectImage }: ThumbnailsProps) {
  const row = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const thumbnail = row.current?.children[index]
    if (row.current && thumbnail instanceof HTMLElement) {
      row.current.scrollLeft =
        thumbnail.offsetLeft - (row.current.clientWidth - thumbnail.clientWidth) / 2
    }
  }, [index])
  return (
    <ul
      ref={row}
      className={`relative no-print ${css.thumbs}`}
      aria-label={texts.images}
    >
      {images.map(({ id, image, isAvailable }, imageIndex) => {
        const label = isAvailable ? texts.position : texts.unavailablePosition
        return (
          <li key={id}>
            <ImageLink
              to={imageIndex}
              selectImage={selectImage}
              aria-current={imageIndex === index || undefined}
              aria-label={label(imageIndex + 1, images.length)}
              className={`relative ${css.thumb}`}
            >
              <ResponsiveImage
                image={image}
                alt=""
                sizes="5rem"
                className="size-full"
              />
              {!isAvailable && <span className={css.veil} />}
            </ImageLink>
          </li>
        )
      })}
    </ul>
  )
}
