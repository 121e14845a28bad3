/** One image of the item form: its preview, its upload, whether it is available, its colours, its place. */
import type { ReactNode } from 'react'
import { ArrowDown, ArrowUp, ImageOff, Trash2 } from 'lucide-react'
import type { Color } from '#app/features/catalog/catalog.ts'
import type { EditorImage } from '#app/features/uploads/picture-upload.ts'
import { EditImageColors } from './edit-image-colors.tsx'
import { EditImageUpload } from './edit-image-upload.tsx'
import type { UseItemImages } from './use-item-images.ts'
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
  const isLast = index === editor.images.length - 1
  const previous = editor.images[index - 1]
  return (
    <div className={css.image} data-failed={upload?.state === 'error' || undefined}>
      <Preview image={image} name={name} />
      <div className={css.about}>
        <p className={css.name}>
          {index + 1}
          {index === 0 && <span className={css.cover}>Cover</span>}
          {handle}
        </p>
        {upload === null && <input type="hidden" name="picture" value={id} />}
        <EditImageUpload image={image} name={name} hasCategory={editor.hasCategory} onCancel={editor.cancel} onRetry={editor.retry} />
        <label className={css.check}>
          <input
            type="checkbox"
            name={`available:${id}`}
            checked={image.isAvailable}
            onChange={(event) => editor.change(id, { isAvailable: event.currentTarget.checked })}
          />
          available
        </label>
      </div>
      <EditImageColors
        id={id}
        name={name}
        colors={colors}
        chosen={image.colors}
        previous={previous?.colors ?? []}
        onChange={(chosen) => editor.change(id, { colors: chosen })}
      />
      <div className={css.moves}>
        <button
          type="button"
          className="icon-button"
          // Not `disabled`: whoever has moved it to the end by keyboard stays at it.
          aria-disabled={index === 0 || undefined}
          aria-label={`Move image ${index + 1} forward`}
          onClick={() => index > 0 && onMove(index, index - 1)}
        >
          <ArrowUp size={18} aria-hidden />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-disabled={isLast || undefined}
          aria-label={`Move image ${index + 1} back`}
          onClick={() => !isLast && onMove(index, index + 1)}
        >
          <ArrowDown size={18} aria-hidden />
        </button>
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
        <label className={css.check}>
          <input type="checkbox" name={`remove:${id}`} />
          remove
        </label>
      </noscript>
    </div>
  )
}

/** A file that this browser cannot read shows itself once the shop has it. */
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
