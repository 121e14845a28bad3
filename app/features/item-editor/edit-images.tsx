import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type ChangeEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { colorName, type Color } from '#catalog/catalog.ts'
import { mayRetry } from '#images/image-upload-queue.ts'
import {
  ACCEPTED_TYPES,
  FILE_ERROR_MS,
  validateFile,
  type EditorImage,
  type FileRefusal,
  type Upload,
} from '#images/image-upload.ts'
import { itemFileErrorTexts } from '#images/texts.ts'
import { useDroppedFiles } from '#images/use-dropped-files.ts'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import { ArrowDown, ArrowUp, Camera, ImagePlus } from '#ui/icons.tsx'
import { ImageOff, Trash2 } from '#ui/owner-icons.tsx'
import { smallestUrl } from '#ui/image-url.ts'
import { useHydrated } from '#ui/redirect-field.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import type { ItemImages } from './item-images.ts'
import {
  itemErrorTexts,
  itemFieldTexts,
  itemImagesTexts as listTexts,
  itemImageTexts as texts,
} from './texts.ts'
import colorsCss from './edit-image-colors.module.css'
import css from './edit-images.module.css'

type EditImagesProps = { editor: ItemImages; colors: Color[]; error: string | undefined }

export function EditImages({ editor, colors, error: formError }: EditImagesProps) {
  const { images } = editor
  const error = images.length > 0 && formError === itemErrorTexts.images ? undefined : formError
  const area = useRef<HTMLFieldSetElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [report, setReport] = useFileReport()
  const [announcement, setAnnouncement] = useState('')
  const dragState = useDroppedFiles(area, add)

  function add(files: File[]) {
    const refusal = files.map(validateFile).find((fileRefusal) => fileRefusal !== null)
    setReport(refusal ? { refusal } : null)
    const validFiles = files.filter((file) => !validateFile(file))
    editor.add(validFiles)
    if (validFiles.length > 0) {
      setAnnouncement(listTexts.added(validFiles.length, images.length + validFiles.length))
    }
  }
  function move(from: number, to: number) {
    editor.move(from, to)
    setAnnouncement(listTexts.moved(from + 1, to + 1, images.length))
  }
  function remove({ id, index }: EditorImage) {
    editor.remove(id)
    setAnnouncement(listTexts.removed(index + 1, images.length - 1))
    addButton.current?.focus()
  }

  return (
    <fieldset
      className={css.images}
      ref={area}
      data-held={dragState ?? undefined}
    >
      <legend>{`${itemFieldTexts.images} *`}</legend>
      <SortableList
        className={`grid gap-4 ${css.list}`}
        entryClassName={css.entry}
        label={listTexts.order}
        items={images.map((image) => ({ ...image, name: texts.name(image.index + 1) }))}
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
        <AddButtons
          button={addButton}
          isInvalid={Boolean(error || report)}
          onPick={add}
          onCancel={() => setReport({ refusal: report?.refusal ?? 'no-file' })}
        >
          {!editor.hasCategory && <CategoryHint images={images} />}
          <p className={`text-soft ${css.hint} ${css.drop}`}>
            {dragState ? listTexts.dropHere : listTexts.dropOrPaste}
          </p>
        </AddButtons>
      </div>
      <p
        className={`error ${css.report}`}
        id="item-images-error"
        role="alert"
      >
        {report ? itemFileErrorTexts[report.refusal] : error}
      </p>
      <p
        className="sr-only"
        role="status"
      >
        {announcement}
      </p>
    </fieldset>
  )
}

const CategoryHint = ({ images }: Pick<ItemImages, 'images'>) =>
  images.some(({ upload }) => upload?.state === 'pending') && (
    <p className={`text-soft ${css.hint}`}>{listTexts.chooseCategory}</p>
  )

function useFileReport() {
  // The report is an object, so that a second refusal with the same text restarts the timer.
  const [report, setReport] = useState<{ refusal: FileRefusal } | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setReport(null), FILE_ERROR_MS)
    return () => clearTimeout(timer)
  }, [report])
  return [report, setReport] as const
}

type AddButtonsProps = {
  button: RefObject<HTMLButtonElement | null>
  isInvalid: boolean
  onPick: (files: File[]) => void
  onCancel: () => void
  children: ReactNode
}

/** With JavaScript, the buttons open the file fields, so the Tab key skips the fields. */
function AddButtons({ button, isInvalid, onPick, onCancel, children }: AddButtonsProps) {
  const hasScript = useHydrated()
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onPick([...(currentTarget.files ?? [])])
    // Only an empty field sends a `change` event when the owner chooses the same file again.
    currentTarget.value = ''
  }
  const onPickerClosed = useEffectEvent(onCancel)
  useEffect(() => {
    const input = picker.current
    const listener = () => onPickerClosed()
    input?.addEventListener('cancel', listener)
    return () => input?.removeEventListener('cancel', listener)
  }, [])
  return (
    <>
      <div className={`row justify-center ${css.ways}`}>
        <button
          type="button"
          className="button quiet"
          ref={button}
          onClick={() => picker.current?.click()}
        >
          <ImagePlus size={20} />
          {listTexts.add}
        </button>
        <button
          type="button"
          className={`button quiet ${css.camera}`}
          onClick={() => camera.current?.click()}
        >
          <Camera size={20} />
          {listTexts.takePhoto}
        </button>
      </div>
      {children}
      <div className={css.picker}>
        <label htmlFor="item-files">{listTexts.choose}</label>
        <input
          className={css.file}
          ref={picker}
          id="item-files"
          name="files"
          type="file"
          accept={ACCEPTED_TYPES}
          multiple
          aria-invalid={isInvalid || undefined}
          aria-describedby="item-images-error"
          onChange={onChange}
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
        onChange={onChange}
      />
    </>
  )
}

type EditImageProps = {
  image: EditorImage & { name: string }
  editor: ItemImages
  colors: Color[]
  handle: ReactNode
  onMove: (from: number, to: number) => void
  onRemove: (image: EditorImage) => void
}

function EditImage({ image, editor, colors, handle, onMove, onRemove }: EditImageProps) {
  const { id, index, name, upload } = image
  const move = (to: number, label: string, Icon: typeof ArrowUp) => (
    <button
      type="button"
      className="icon-button"
      // A `disabled` button would lose the focus at the first or last place.
      aria-disabled={!editor.images[to] || undefined}
      aria-label={label}
      onClick={() => editor.images[to] && onMove(index, to)}
    >
      <Icon size={18} />
    </button>
  )
  return (
    <div
      className={css.image}
      data-failed={upload?.state === 'error' || undefined}
    >
      <Preview image={image} />
      <div className={css.about}>
        <p className={`row ${css.name}`}>
          {index + 1}
          {index === 0 && <span className={css.cover}>{texts.cover}</span>}
          {handle}
        </p>
        {upload === null && (
          <input
            type="hidden"
            name="image"
            value={id}
          />
        )}
        <ImageUpload
          image={image}
          editor={editor}
        />
        <label className="check">
          <input
            type="checkbox"
            name={`available:${id}`}
            checked={image.isAvailable}
            onChange={(event) => editor.change(id, { isAvailable: event.currentTarget.checked })}
          />
          {texts.available}
        </label>
      </div>
      <ImageColors
        image={image}
        colors={colors}
        editor={editor}
      />
      <div className={css.moves}>
        {move(index - 1, texts.moveForward(name), ArrowUp)}
        {move(index + 1, texts.moveBack(name), ArrowDown)}
        <button
          type="button"
          className="icon-button"
          aria-label={texts.removeImage(name)}
          data-remove
          onClick={() => onRemove(image)}
        >
          <Trash2 size={18} />
        </button>
      </div>
      <noscript>
        <label className="check">
          <input
            type="checkbox"
            name={`remove:${id}`}
          />
          {texts.remove}
        </label>
      </noscript>
    </div>
  )
}

function Preview({ image: { src, file, name, upload } }: Pick<EditImageProps, 'image'>) {
  const previewSrc = src || (upload?.state === 'uploaded' ? upload.url : '')
  if (previewSrc) {
    return (
      <img
        className={css.preview}
        src={previewSrc}
        alt={texts.preview(name)}
        draggable={false}
        decoding="async"
      />
    )
  }
  const isUnreadable = upload?.state !== 'pending' || upload.step !== 'shrinking'
  return (
    <span
      className={css.preview}
      title={file?.name}
    >
      {isUnreadable && <ImageOff />}
    </span>
  )
}

function ImageUpload({ image, editor }: Pick<EditImageProps, 'image' | 'editor'>) {
  const { id, name, upload } = image
  const button = (text: string, label: string, onClick: (id: string) => void) => (
    <button
      type="button"
      className={css.act}
      aria-label={label}
      onClick={() => onClick(id)}
    >
      {text}
    </button>
  )
  if (upload === null || upload.state === 'deleted') return null
  if (upload.state === 'uploaded') return <p className={css.state}>{texts.uploaded}</p>
  if (upload.state === 'error') {
    return (
      <div className={css.state}>
        <p className="error">{upload.text}</p>
        {mayRetry(image) && button(texts.retry, texts.retryUpload(name), editor.retry)}
      </div>
    )
  }
  const { step, part = 0 } = upload
  return (
    <div className={css.state}>
      <p>{uploadStateText(upload, editor.hasCategory)}</p>
      {editor.hasCategory &&
        step !== 'shrinking' &&
        button(texts.cancel, texts.cancelUpload(name), editor.cancel)}
      {(step === 'sending' || step === 'storing') && (
        <progress
          className={`progress ${css.progress}`}
          aria-label={texts.upload(name)}
          value={step === 'storing' ? 1 : part}
        />
      )}
    </div>
  )
}

function uploadStateText({ step, part = 0 }: Upload & { state: 'pending' }, hasCategory: boolean) {
  if (step === 'offline') return texts.offline
  if (step === 'sending') return texts.sending(Math.floor(part * 100))
  if (step === 'storing') return texts.storing
  if (step === 'shrinking') return texts.shrinking
  return hasCategory ? texts.waiting : texts.needsCategory
}

const MAX_WITHOUT_SEARCH = 8

function ImageColors({
  image: { id, index, name, colors: chosenIds },
  colors,
  editor,
}: Pick<EditImageProps, 'image' | 'colors' | 'editor'>) {
  const previousIds = editor.images[index - 1]?.colors ?? []
  const choose = (ids: string[]) => editor.change(id, { colors: ids })
  const [search, setSearch] = useState('')
  const isMatch = (color: Color) =>
    normalizeForSearch(colorName(color)).includes(normalizeForSearch(search.trim()))
  return (
    <details className={`fold arrow ${colorsCss.colors}`}>
      <summary>
        {texts.colors(chosenIds.length)}
        <span
          className={colorsCss.chosen}
          aria-hidden
        >
          {colors
            .filter((color) => chosenIds.includes(color.id))
            .slice(0, 6)
            .map((color) => (
              <Swatch
                color={color}
                key={color.id}
              />
            ))}
        </span>
      </summary>
      {previousIds.some((colorId) => !chosenIds.includes(colorId)) && (
        <button
          type="button"
          className={`button quiet ${colorsCss.same}`}
          onClick={() => choose([...new Set([...chosenIds, ...previousIds])])}
        >
          {texts.sameAsBefore}
        </button>
      )}
      {colors.length > MAX_WITHOUT_SEARCH && (
        <ColorSearch
          label={texts.searchColorsOf(name)}
          search={search}
          onSearch={setSearch}
        />
      )}
      <div
        className={colorsCss.list}
        role="group"
        aria-label={texts.colorsOf(name)}
      >
        {colors.map((color) => (
          // The form must contain the checkboxes that the search hides, or a save would clear these
          // colors.
          <label
            className="check"
            key={color.id}
            hidden={!isMatch(color)}
          >
            <input
              type="checkbox"
              name={`color:${id}`}
              value={color.id}
              checked={chosenIds.includes(color.id)}
              onChange={(event) =>
                choose(
                  event.currentTarget.checked
                    ? [...chosenIds, color.id]
                    : chosenIds.filter((colorId) => colorId !== color.id),
                )
              }
            />
            <Swatch color={color} />
            {colorName(color)}
          </label>
        ))}
        {!colors.some(isMatch) && (
          <p className="text-soft">{colors.length === 0 ? texts.noColors : texts.noSuchColor}</p>
        )}
      </div>
    </details>
  )
}

type ColorSearchProps = { label: string; search: string; onSearch: (text: string) => void }

function ColorSearch({ label, search, onSearch }: ColorSearchProps) {
  const id = useId()
  return (
    <div className={colorsCss.search}>
      <label
        className="sr-only"
        htmlFor={id}
      >
        {label}
      </label>
      <input
        className="input"
        id={id}
        type="search"
        placeholder={texts.searchColors}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        // The Enter key would save the whole item.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </div>
  )
}

const Swatch = ({ color: { image } }: { color: Color }) =>
  image ? (
    <img
      className={`photo ${colorsCss.swatch}`}
      src={smallestUrl(image)}
      alt=""
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span className={`photo ${colorsCss.swatch}`} />
  )
