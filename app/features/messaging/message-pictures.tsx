/** The pictures of a message in its bubble; pressed, they fill the screen (S-173). */
import { lazy, Suspense, useState, type MouseEvent } from 'react'
import { Picture, variantUrl, type PictureView } from '#app/ui/picture.tsx'
import { PICTURE_GONE, type MessagePicture } from './message-pictures.ts'
import css from './message-pictures.module.css'

// Few look closer, and all wait for what comes with the log.
const Zoom = lazy(() => import('#app/features/catalog/item-zoom.tsx').then(({ ItemZoom }) => ({ default: ItemZoom })))

type Props = { pictures: readonly MessagePicture[]; sender: string }

/** Without script a press opens the picture by itself. */
const largest = ({ url, widths }: PictureView) => (widths.length > 0 ? variantUrl(url, widths.at(-1)!) : url)

export function MessagePictures({ pictures, sender }: Props) {
  const [open, setOpen] = useState<number | null>(null)
  const shown = pictures.filter((picture) => picture !== null)
  const zoomed = {
    name: `the message of ${sender}`,
    pictures: shown.map((picture) => ({ id: picture.url, picture, isAvailable: true, colorIds: [] })),
  }
  const show = (event: MouseEvent, at: number) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setOpen(at)
  }
  return (
    <span className={`stack ${css.pictures}`} data-many={pictures.length > 1 || undefined}>
      {pictures.map((picture, index) => {
        if (!picture)
          return (
            <span key={index} className={css.gone}>
              {PICTURE_GONE}
            </span>
          )
        const at = shown.indexOf(picture)
        return (
          <a key={picture.url} className={css.one} href={largest(picture)} target="_blank" onClick={(event) => show(event, at)}>
            <Picture
              className={css.image}
              picture={picture}
              alt={shown.length > 1 ? `Picture ${at + 1} of ${shown.length} from ${sender}` : `Picture from ${sender}`}
              sizes="17rem"
            />
          </a>
        )
      })}
      {open !== null && (
        <Suspense>
          <Zoom item={zoomed} index={open} showAt={setOpen} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </span>
  )
}
