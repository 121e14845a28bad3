/** The item's list of images: add, take away, put in order, give colours (MERCH-18 to MERCH-20, MERCH-29 to MERCH-32). */
import { useEffect, useRef, useState } from 'react'
import { ArrowLeft, ArrowRight, Trash2 } from 'lucide-react'
import { useHasScript } from '#app/ui/back-field.tsx'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { ACCEPTED, itemPickTexts, PICK_REPORT_DURATION, refusePicked } from '#app/features/uploads/picked-picture.ts'
import type { EditorImage } from '#app/features/uploads/picture-upload.ts'
import type { UseItemImages } from './use-item-images.ts'
import css from './edit-images.module.css'

type Props = { editor: UseItemImages; colors: Color[]; error: string | undefined }

export function EditImages({ editor, colors, error }: Props) {
  const { images } = editor
  const hasScript = useHasScript()
  const input = useRef<HTMLInputElement>(null)
  const [report, setReport] = useState<{ text: string } | null>(null)
  // The clock is outside React (MERCH-32).
  useEffect(() => {
    if (!report) return
    const timer = setTimeout(() => setReport(null), PICK_REPORT_DURATION)
    return () => clearTimeout(timer)
  }, [report])

  /** S-092: the first file that does not fit is told; the fit ones are added all the same. */
  function add() {
    const files = [...(input.current?.files ?? [])]
    const refusal = files.length === 0 ? 'no-file' : files.map(refusePicked).find((found) => found !== null)
    setReport(refusal ? { text: itemPickTexts[refusal] } : null)
    editor.add(files.filter((file) => !refusePicked(file)))
    if (input.current) input.current.value = ''
  }
  return (
    <fieldset className={css.images}>
      <legend>Images *</legend>
      <ol className={css.list}>
        {images.map((image) => (
          <li className={css.image} key={image.id}>
            <ImageView image={image} colors={colors} onChange={(changed) => editor.change(image.id, changed)} />
            <div className={css.moves} hidden={!hasScript}>
              <button
                type="button"
                className="icon-button"
                disabled={image.index === 0}
                aria-label={`Move image ${image.index + 1} forward`}
                onClick={() => editor.move(image.index, image.index - 1)}
              >
                <ArrowLeft size={18} aria-hidden />
              </button>
              <button
                type="button"
                className="icon-button"
                disabled={image.index === images.length - 1}
                aria-label={`Move image ${image.index + 1} back`}
                onClick={() => editor.move(image.index, image.index + 1)}
              >
                <ArrowRight size={18} aria-hidden />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove image ${image.index + 1}`}
                onClick={() => editor.remove(image.id)}
              >
                <Trash2 size={18} aria-hidden />
              </button>
            </div>
          </li>
        ))}
      </ol>
      <div className={css.add}>
        <label htmlFor="item-files">Choose images</label>
        <input
          className={css.file}
          ref={input}
          id="item-files"
          name="files"
          type="file"
          accept={ACCEPTED}
          multiple
          aria-invalid={error || report ? true : undefined}
          aria-describedby="item-images-error"
        />
        <button type="button" className="button quiet" hidden={!hasScript} onClick={add}>
          Add Image
        </button>
      </div>
      <p className="error" id="item-images-error" role="alert">
        {report?.text ?? error}
      </p>
    </fieldset>
  )
}

type ViewProps = { image: EditorImage; colors: Color[]; onChange: (changed: Partial<EditorImage>) => void }

function ImageView({ image, colors, onChange }: ViewProps) {
  const key = image.id
  const name = `image ${image.index + 1}`
  return (
    <>
      <img className={css.preview} src={image.src} alt={`Preview of ${name}`} />
      {!image.file && <input type="hidden" name="picture" value={key} />}
      {image.upload?.state === 'pending' && <p className={css.state}>Uploading…</p>}
      <label className={css.check}>
        <input
          type="checkbox"
          name={`available:${key}`}
          checked={image.isAvailable}
          onChange={(event) => onChange({ isAvailable: event.currentTarget.checked })}
        />
        available
      </label>
      <details>
        <summary>{`Colors (${image.colors.length})`}</summary>
        <div className={css.colors} role="group" aria-label={`Colors of ${name}`}>
          {colors.map((color) => (
            <label className={css.check} key={color.id}>
              <input
                type="checkbox"
                name={`color:${key}`}
                value={color.id}
                checked={image.colors.includes(color.id)}
                onChange={(event) =>
                  onChange({
                    colors: event.currentTarget.checked ? [...image.colors, color.id] : image.colors.filter((id) => id !== color.id),
                  })
                }
              />
              {colorName(color)}
            </label>
          ))}
        </div>
      </details>
      <noscript>
        <label className={css.check}>
          <input type="checkbox" name={`remove:${key}`} />
          remove
        </label>
      </noscript>
    </>
  )
}
