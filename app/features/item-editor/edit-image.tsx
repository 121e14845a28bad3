import { useId, useState, type ReactNode } from 'react'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { mayRetry } from '#app/features/images/image-upload-queue.ts'
import type { EditorImage, Upload } from '#app/features/images/image-upload.ts'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { ArrowDown, ArrowUp, ImageOff, Trash2 } from '#app/ui/icons.tsx'
import { smallestUrl } from '#app/ui/picture-url.ts'
import type { UseItemImages } from './item-images.ts'
import { itemImageTexts as texts } from './texts.ts'
import colorsCss from './edit-image-colors.module.css'
import css from './edit-images.module.css'

type Props = {
  image: EditorImage
  editor: UseItemImages
  colors: Color[]
  handle: ReactNode
  onMove: (from: number, to: number) => void
  onRemove: (id: string, number: number) => void
}

export function EditImage({ image, editor, colors, handle, onMove, onRemove }: Props) {
  const { id, index, upload } = image
  const name = texts.name(index + 1)
  const move = (to: number, label: string, Icon: typeof ArrowUp) => (
    <button
      type="button"
      className="icon-button"
      // With `disabled`, the button would lose the focus when the owner moves the image to the first or last place.
      aria-disabled={!editor.images[to] || undefined}
      aria-label={label}
      onClick={() => editor.images[to] && onMove(index, to)}
    >
      <Icon
        size={18}
        aria-hidden
      />
    </button>
  )
  return (
    <div
      className={css.image}
      data-failed={upload?.state === 'error' || undefined}
    >
      <Preview
        image={image}
        name={name}
      />
      <div className={css.about}>
        <p className={`cluster ${css.name}`}>
          {index + 1}
          {index === 0 && <span className={css.cover}>{texts.cover}</span>}
          {handle}
        </p>
        {upload === null && (
          <input
            type="hidden"
            name="picture"
            value={id}
          />
        )}
        <ImageUpload
          image={image}
          name={name}
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
        name={name}
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
          onClick={() => onRemove(id, index + 1)}
        >
          <Trash2
            size={18}
            aria-hidden
          />
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

function Preview({ image: { src, file, upload }, name }: { image: EditorImage; name: string }) {
  const shown = src || (upload?.state === 'uploaded' ? upload.url : '')
  if (shown)
    return (
      <img
        className={css.preview}
        src={shown}
        alt={texts.preview(name)}
        draggable={false}
        decoding="async"
      />
    )
  const isUnreadable = upload?.state !== 'pending' || upload.step !== 'shrinking'
  return (
    <span
      className={css.preview}
      title={file?.name}
    >
      {isUnreadable && (
        <ImageOff
          size={24}
          aria-hidden
        />
      )}
    </span>
  )
}

function ImageUpload({
  image,
  name,
  editor,
}: {
  image: EditorImage
  name: string
  editor: UseItemImages
}) {
  const { id, upload } = image
  if (upload === null || upload.state === 'deleted') return null
  if (upload.state === 'uploaded') return <p className={css.state}>{texts.uploaded}</p>
  if (upload.state === 'error')
    return (
      <div className={css.state}>
        <p className="error">{upload.text}</p>
        {mayRetry(image) && (
          <button
            type="button"
            className={css.act}
            aria-label={texts.retryUpload(name)}
            onClick={() => editor.retry(id)}
          >
            {texts.retry}
          </button>
        )}
      </div>
    )
  return (
    <div className={css.state}>
      <p>{uploadStateText(upload, editor.hasCategory)}</p>
      {editor.hasCategory && upload.step !== 'shrinking' && (
        <button
          type="button"
          className={css.act}
          aria-label={texts.cancelUpload(name)}
          onClick={() => editor.cancel(id)}
        >
          {texts.cancel}
        </button>
      )}
      {(upload.step === 'sending' || upload.step === 'storing') && (
        <progress
          className={`progress ${css.progress}`}
          aria-label={texts.upload(name)}
          value={upload.step === 'storing' ? 1 : (upload.part ?? 0)}
        />
      )}
    </div>
  )
}

function uploadStateText(
  { step, part = 0 }: Upload & { state: 'pending' },
  hasCategory: boolean,
): string {
  if (step === 'offline') return texts.offline
  if (step === 'sending') return texts.sending(Math.floor(part * 100))
  if (step === 'storing') return texts.storing
  if (step === 'shrinking') return texts.shrinking
  return hasCategory ? texts.waiting : texts.needsCategory
}

const MAX_WITHOUT_SEARCH = 8

type ColorsProps = Pick<Props, 'image' | 'colors' | 'editor'> & { name: string }

function ImageColors({ image: { id, index, colors: chosen }, name, colors, editor }: ColorsProps) {
  // A button copies the colors of the previous image, because images of an item often have the same colors.
  const previous = editor.images[index - 1]?.colors ?? []
  const onChange = (next: string[]) => editor.change(id, { colors: next })
  const searchId = useId()
  const [search, setSearch] = useState('')
  const isMeant = (color: Color) =>
    normalizeForSearch(colorName(color)).includes(normalizeForSearch(search.trim()))
  const isNone = !colors.some(isMeant)
  const hasOther = previous.some((color) => !chosen.includes(color))
  return (
    <details className={`fold arrow ${colorsCss.colors}`}>
      <summary>
        {texts.colors(chosen.length)}
        <span
          className={colorsCss.chosen}
          aria-hidden
        >
          {colors
            .filter((color) => chosen.includes(color.id))
            .slice(0, 6)
            .map((color) => (
              <Swatch
                color={color}
                key={color.id}
              />
            ))}
        </span>
      </summary>
      {hasOther && (
        <button
          type="button"
          className={`button quiet ${colorsCss.same}`}
          onClick={() => onChange([...new Set([...chosen, ...previous])])}
        >
          {texts.sameAsBefore}
        </button>
      )}
      {colors.length > MAX_WITHOUT_SEARCH && (
        <div className={colorsCss.search}>
          <label
            className="visually-hidden"
            htmlFor={searchId}
          >
            {texts.searchColorsOf(name)}
          </label>
          <input
            className="input"
            id={searchId}
            type="search"
            placeholder={texts.searchColors}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            // Without this handler, the Enter key would save the whole item.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
      )}
      <div
        className={colorsCss.list}
        role="group"
        aria-label={texts.colorsOf(name)}
      >
        {colors.map((color) => (
          // The search only hides colors that it does not find. So the form still contains the checkboxes of hidden colors.
          <label
            className="check"
            key={color.id}
            hidden={!isMeant(color)}
          >
            <input
              type="checkbox"
              name={`color:${id}`}
              value={color.id}
              checked={chosen.includes(color.id)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...chosen, color.id]
                    : chosen.filter((one) => one !== color.id),
                )
              }
            />
            <Swatch color={color} />
            {colorName(color)}
          </label>
        ))}
        {isNone && (
          <p className="soft">{colors.length === 0 ? texts.noColors : texts.noSuchColor}</p>
        )}
      </div>
    </details>
  )
}

function Swatch({ color: { picture } }: { color: Color }) {
  return picture ? (
    <img
      className={`photo ${colorsCss.swatch}`}
      src={smallestUrl(picture)}
      alt=""
      loading="lazy"
      decoding="async"
    />
  ) : (
    <span className={`photo ${colorsCss.swatch}`} />
  )
}
