import { useId, useState, type ReactNode } from 'react'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { mayRetry } from '#app/features/images/image-upload-queue.ts'
import type { EditorImage, Upload } from '#app/features/images/picture-upload.ts'
import { fold } from '#app/platform/fold.ts'
import { ArrowDown, ArrowUp, ImageOff, Trash2 } from '#app/ui/icons.tsx'
import { smallestUrl } from '#app/ui/picture.tsx'
import type { UseItemImages } from './item-images.ts'
import colorsCss from './edit-image-colors.module.css'
import css from './edit-images.module.css'

type Props = {
  image: EditorImage
  editor: UseItemImages
  colors: Color[]
  handle: ReactNode
  onMove: (from: number, to: number) => void
  onRemove: (id: string, name: string) => void
}

export function EditImage({ image, editor, colors, handle, onMove, onRemove }: Props) {
  const { id, index, upload } = image
  const name = `image ${index + 1}`
  const move = (to: number, where: string, Icon: typeof ArrowUp) => (
    <button
      type="button"
      className="icon-button"
      // Not `disabled`: whoever has moved it to the end by keyboard stays at it.
      aria-disabled={!editor.images[to] || undefined}
      aria-label={`Move image ${index + 1} ${where}`}
      onClick={() => editor.images[to] && onMove(index, to)}
    >
      <Icon size={18} aria-hidden />
    </button>
  )
  return (
    <div className={css.image} data-failed={upload?.state === 'error' || undefined}>
      <Preview image={image} name={name} />
      <div className={css.about}>
        <p className={`cluster ${css.name}`}>
          {index + 1}
          {index === 0 && <span className={css.cover}>Cover</span>}
          {handle}
        </p>
        {upload === null && <input type="hidden" name="picture" value={id} />}
        <ImageUpload image={image} name={name} editor={editor} />
        <label className="check">
          <input
            type="checkbox"
            name={`available:${id}`}
            checked={image.isAvailable}
            onChange={(event) => editor.change(id, { isAvailable: event.currentTarget.checked })}
          />
          available
        </label>
      </div>
      <ImageColors image={image} name={name} colors={colors} editor={editor} />
      <div className={css.moves}>
        {move(index - 1, 'forward', ArrowUp)}
        {move(index + 1, 'back', ArrowDown)}
        <button
          type="button"
          className="icon-button"
          aria-label={`Remove image ${index + 1}`}
          onClick={() => onRemove(id, `Image ${index + 1}`)}
        >
          <Trash2 size={18} aria-hidden />
        </button>
      </div>
      <noscript>
        <label className="check">
          <input type="checkbox" name={`remove:${id}`} />
          remove
        </label>
      </noscript>
    </div>
  )
}

function Preview({ image: { src, file, upload }, name }: { image: EditorImage; name: string }) {
  const shown = src || (upload?.state === 'uploaded' ? upload.url : '')
  if (shown) return <img className={css.preview} src={shown} alt={`Preview of ${name}`} draggable={false} decoding="async" />
  const isUnreadable = upload?.state !== 'pending' || upload.step !== 'shrinking'
  return (
    <span className={css.preview} title={file?.name}>
      {isUnreadable && <ImageOff size={24} aria-hidden />}
    </span>
  )
}

function ImageUpload({ image, name, editor }: { image: EditorImage; name: string; editor: UseItemImages }) {
  const { id, upload } = image
  if (upload === null || upload.state === 'deleted') return null
  if (upload.state === 'uploaded') return <p className={css.state}>Uploaded</p>
  if (upload.state === 'error')
    return (
      <div className={css.state}>
        <p className="error">{upload.text}</p>
        {mayRetry(image) && (
          <button type="button" className={css.act} aria-label={`Retry upload of ${name}`} onClick={() => editor.retry(id)}>
            Retry
          </button>
        )}
      </div>
    )
  return (
    <div className={css.state}>
      <p>{textOf(upload, editor.hasCategory)}</p>
      {editor.hasCategory && upload.step !== 'shrinking' && (
        <button type="button" className={css.act} aria-label={`Cancel upload of ${name}`} onClick={() => editor.cancel(id)}>
          Cancel
        </button>
      )}
      {(upload.step === 'sending' || upload.step === 'storing') && (
        <progress
          className={`progress ${css.progress}`}
          aria-label={`Upload of ${name}`}
          value={upload.step === 'storing' ? 1 : (upload.part ?? 0)}
        />
      )}
    </div>
  )
}

function textOf({ step, part = 0 }: Upload & { state: 'pending' }, hasCategory: boolean): string {
  if (step === 'offline') return 'Waits for the connection'
  if (step === 'sending') return `Uploading ${Math.floor(part * 100)}%`
  if (step === 'storing') return 'Almost there…'
  if (step === 'shrinking') return 'Preparing…'
  return hasCategory ? 'Waiting…' : 'Waits for a category'
}

const MAX_WITHOUT_SEARCH = 8

type ColorsProps = Pick<Props, 'image' | 'colors' | 'editor'> & { name: string }

function ImageColors({ image: { id, index, colors: chosen }, name, colors, editor }: ColorsProps) {
  // Photos of one piece often have the same colors.
  const previous = editor.images[index - 1]?.colors ?? []
  const onChange = (next: string[]) => editor.change(id, { colors: next })
  const searchId = useId()
  const [search, setSearch] = useState('')
  const isMeant = (color: Color) => fold(colorName(color)).includes(fold(search.trim()))
  const isNone = !colors.some(isMeant)
  const hasOther = previous.some((color) => !chosen.includes(color))
  return (
    <details className={`fold arrow ${colorsCss.colors}`}>
      <summary>
        {`Colors (${chosen.length})`}
        <span className={colorsCss.chosen} aria-hidden>
          {colors
            .filter((color) => chosen.includes(color.id))
            .slice(0, 6)
            .map((color) => (
              <Swatch color={color} key={color.id} />
            ))}
        </span>
      </summary>
      {hasOther && (
        <button type="button" className={`button quiet ${colorsCss.same}`} onClick={() => onChange([...new Set([...chosen, ...previous])])}>
          Same as the image before
        </button>
      )}
      {colors.length > MAX_WITHOUT_SEARCH && (
        <div className={colorsCss.search}>
          <label className="unseen" htmlFor={searchId}>{`Search the colors of ${name}`}</label>
          <input
            className="input"
            id={searchId}
            type="search"
            placeholder="Search colors"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            // Enter would save the item.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
      )}
      <div className={colorsCss.list} role="group" aria-label={`Colors of ${name}`}>
        {colors.map((color) => (
          // Hidden, not taken out: without script a form sends what it holds.
          <label className="check" key={color.id} hidden={!isMeant(color)}>
            <input
              type="checkbox"
              name={`color:${id}`}
              value={color.id}
              checked={chosen.includes(color.id)}
              onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, color.id] : chosen.filter((one) => one !== color.id))}
            />
            <Swatch color={color} />
            {colorName(color)}
          </label>
        ))}
        {isNone && <p className="soft">{colors.length === 0 ? 'No colors yet' : 'No such color'}</p>}
      </div>
    </details>
  )
}

function Swatch({ color: { picture } }: { color: Color }) {
  return picture ? (
    <img className={`photo ${colorsCss.swatch}`} src={smallestUrl(picture)} alt="" loading="lazy" decoding="async" />
  ) : (
    <span className={`photo ${colorsCss.swatch}`} />
  )
}
