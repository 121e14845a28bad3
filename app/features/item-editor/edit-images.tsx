import { useEffect, useRef, useState } from 'react'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { SortableList } from '#app/ui/sortable-list.tsx'
import type { Color } from '#app/features/catalog/catalog.ts'
import {
  ACCEPTED_TYPES,
  FILE_ERROR_MS,
  validateFile,
  type FileRefusal,
} from '#app/features/images/image-upload.ts'
import { itemFileErrorTexts } from '#app/features/images/texts.ts'
import { EditImage } from './edit-image.tsx'
import type { UseItemImages } from './item-images.ts'
import {
  itemErrorTexts,
  itemFieldTexts,
  itemImagesTexts as texts,
  itemImageTexts,
} from './texts.ts'
import { useDroppedFiles } from '#app/features/images/use-dropped-files.ts'
import { Camera, ImagePlus } from '#app/ui/icons.tsx'
import css from './edit-images.module.css'

type Props = { editor: UseItemImages; colors: Color[]; error: string | undefined }

export function EditImages({ editor, colors, error: formError }: Props) {
  const { images } = editor
  const error = images.length > 0 && formError === itemErrorTexts.images ? undefined : formError
  const hasScript = useHydrated()
  const area = useRef<HTMLFieldSetElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  /** The reason why the form has refused a chosen file; null if no message is shown. The message disappears after two seconds. [MERCH-32] */
  const [report, setReport] = useState<{ refusal: FileRefusal } | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setReport(null), FILE_ERROR_MS)
    return () => clearTimeout(timer)
  }, [report])
  const [announcement, setAnnouncement] = useState('')
  const held = useDroppedFiles(area, add)

  /** Adds the suitable files, and reports the first unsuitable file to the owner. [S-092] */
  function add(files: File[]) {
    const refusal = files.map(validateFile).find((found) => found !== null)
    setReport(refusal ? { refusal } : null)
    const fit = files.filter((file) => !validateFile(file))
    editor.add(fit)
    if (fit.length > 0) setAnnouncement(texts.added(fit.length, images.length + fit.length))
  }
  function pick(input: HTMLInputElement) {
    add([...(input.files ?? [])])
    // An empty field sends a `change` event even when the owner chooses the same file again.
    input.value = ''
  }
  function move(from: number, to: number) {
    editor.move(from, to)
    setAnnouncement(texts.moved(from + 1, to + 1, images.length))
  }
  function remove(id: string, number: number) {
    editor.remove(id)
    setAnnouncement(texts.removed(number, images.length - 1))
    button.current?.focus()
  }
  // Shows a message when the owner closes the file picker without choosing a file. [MERCH-29]
  useEffect(() => {
    const input = picker.current
    const onCancel = () => setReport((last) => ({ refusal: last?.refusal ?? 'no-file' }))
    input?.addEventListener('cancel', onCancel)
    return () => input?.removeEventListener('cancel', onCancel)
  }, [])

  return (
    <fieldset
      className={css.images}
      ref={area}
      data-held={held ?? undefined}
    >
      <legend>{`${itemFieldTexts.images} *`}</legend>
      <SortableList
        className={`stack ${css.list}`}
        entryClassName={css.entry}
        label={texts.order}
        items={images.map((image) => ({ ...image, name: itemImageTexts.name(image.index + 1) }))}
        onMove={editor.move}
        render={(image, handle) => (
          <EditImage
            image={image}
            editor={editor}
            colors={colors}
            handle={handle}
            onMove={move}
            onRemove={remove}
          />
        )}
      />
      <div className={css.add}>
        <div className={`cluster centered ${css.ways}`}>
          <button
            type="button"
            className="button quiet"
            ref={button}
            onClick={() => picker.current?.click()}
          >
            <ImagePlus
              size={20}
              aria-hidden
            />
            {texts.add}
          </button>
          <button
            type="button"
            className={`button quiet ${css.camera}`}
            onClick={() => camera.current?.click()}
          >
            <Camera
              size={20}
              aria-hidden
            />
            {texts.takePhoto}
          </button>
        </div>
        {!editor.hasCategory && images.some(({ upload }) => upload?.state === 'pending') && (
          <p className={`soft ${css.hint}`}>{texts.chooseCategory}</p>
        )}
        <p className={`soft ${css.hint} ${css.drop}`}>
          {held ? texts.dropHere : texts.dropOrPaste}
        </p>
        <div className={css.picker}>
          <label htmlFor="item-files">{texts.choose}</label>
          <input
            className={css.file}
            ref={picker}
            id="item-files"
            name="files"
            type="file"
            accept={ACCEPTED_TYPES}
            multiple
            aria-invalid={error || report ? true : undefined}
            aria-describedby="item-images-error"
            onChange={(event) => pick(event.currentTarget)}
            // With JavaScript, the buttons above open the file picker, so the Tab key skips this field.
            tabIndex={hasScript ? -1 : undefined}
            onFocus={() => hasScript && button.current?.focus()}
          />
        </div>
        <input
          hidden
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          onChange={(event) => pick(event.currentTarget)}
        />
      </div>
      <p
        className={`error ${css.report}`}
        id="item-images-error"
        role="alert"
      >
        {report ? itemFileErrorTexts[report.refusal] : error}
      </p>
      <p
        className="visually-hidden"
        role="status"
      >
        {announcement}
      </p>
    </fieldset>
  )
}
