import { useEffect, useRef, useState } from 'react'
import { useHasScript } from '#app/ui/back-field.tsx'
import { SortableList } from '#app/ui/sortable-list.tsx'
import type { Color } from '#app/features/catalog/catalog.ts'
import { ACCEPTED, itemPickTexts, PICK_REPORT_DURATION, refusePicked, type PickRefusal } from '#app/features/images/picture-upload.ts'
import { EditImage } from './edit-image.tsx'
import type { UseItemImages } from './item-images.ts'
import { useGivenFiles } from '#app/features/images/use-given-files.ts'
import { Camera, ImagePlus } from '#app/ui/icons.tsx'
import css from './edit-images.module.css'

type Props = { editor: UseItemImages; colors: Color[]; error: string | undefined }

export function EditImages({ editor, colors, error }: Props) {
  const { images } = editor
  const hasScript = useHasScript()
  const area = useRef<HTMLFieldSetElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  /** MERCH-32: it goes by itself, counted from the last report. */
  const [report, setReport] = useState<{ refusal: PickRefusal } | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setReport(null), PICK_REPORT_DURATION)
    return () => clearTimeout(timer)
  }, [report])
  const [told, setTold] = useState('')
  const held = useGivenFiles(area, add)

  /** S-092: the first file that does not fit is told; the fit ones are added all the same. */
  function add(files: File[]) {
    const refusal = files.map(refusePicked).find((found) => found !== null)
    setReport(refusal ? { refusal } : null)
    const fit = files.filter((file) => !refusePicked(file))
    editor.add(fit)
    if (fit.length > 0) setTold(`${fit.length === 1 ? '1 image' : `${fit.length} images`} added, ${images.length + fit.length} in all.`)
  }
  function pick(input: HTMLInputElement) {
    add([...(input.files ?? [])])
    // The same file may be chosen again.
    input.value = ''
  }
  function move(from: number, to: number) {
    editor.move(from, to)
    setTold(`Image ${from + 1} is now image ${to + 1} of ${images.length}.`)
  }
  function remove(id: string, name: string) {
    editor.remove(id)
    setTold(`${name} removed, ${images.length - 1} left.`)
    button.current?.focus()
  }
  // MERCH-29: the picker was closed without a choice. What was told of the last choice stays.
  useEffect(() => {
    const input = picker.current
    const onCancel = () => setReport((last) => ({ refusal: last?.refusal ?? 'no-file' }))
    input?.addEventListener('cancel', onCancel)
    return () => input?.removeEventListener('cancel', onCancel)
  }, [])

  return (
    <fieldset className={css.images} ref={area} data-held={held ?? undefined}>
      <legend>Images *</legend>
      <SortableList
        className={`stack ${css.list}`}
        entryClassName={css.entry}
        label="Order of images"
        items={images.map((image) => ({ ...image, name: `image ${image.index + 1}` }))}
        onMove={editor.move}
        render={(image, handle) => (
          <EditImage image={image} editor={editor} colors={colors} handle={handle} onMove={move} onRemove={remove} />
        )}
      />
      <div className={css.add}>
        <div className={`cluster centered ${css.ways}`}>
          <button type="button" className="button quiet" ref={button} onClick={() => picker.current?.click()}>
            <ImagePlus size={20} aria-hidden />
            Add Image
          </button>
          <button type="button" className={`button quiet ${css.camera}`} onClick={() => camera.current?.click()}>
            <Camera size={20} aria-hidden />
            Take Photo
          </button>
        </div>
        {!editor.hasCategory && images.some(({ upload }) => upload?.state === 'pending') && (
          <p className={`soft ${css.hint}`}>Choose a category, and they are uploaded while you go on.</p>
        )}
        <p className={`soft ${css.hint} ${css.drop}`}>{held ? 'Drop them here' : 'or drop or paste pictures here'}</p>
        <div className={css.picker}>
          <label htmlFor="item-files">Choose images</label>
          <input
            className={css.file}
            ref={picker}
            id="item-files"
            name="files"
            type="file"
            accept={ACCEPTED}
            multiple
            aria-invalid={error || report ? true : undefined}
            aria-describedby="item-images-error"
            onChange={(event) => pick(event.currentTarget)}
            // With script the buttons above open it, and stand for it where the form points at it.
            tabIndex={hasScript ? -1 : undefined}
            onFocus={() => hasScript && button.current?.focus()}
          />
        </div>
        <input hidden ref={camera} type="file" accept="image/*" capture="environment" onChange={(event) => pick(event.currentTarget)} />
      </div>
      <p className={`error ${css.report}`} id="item-images-error" role="alert">
        {report ? itemPickTexts[report.refusal] : error}
      </p>
      <p className="unseen" role="status">
        {told}
      </p>
    </fieldset>
  )
}
