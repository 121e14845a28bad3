/** Lets the writer add images to the next message. Without JavaScript, the form shows a file field instead. [S-173] */
import { type RefObject, useEffect, useId, useRef } from 'react'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { type Upload, ACCEPTED_TYPES } from '#app/features/images/image-upload.ts'
import { Camera, ImagePlus, Images, X } from '#app/ui/icons.tsx'
import type { useMessageImageUploads } from './message-image-uploads.ts'
import { messageImageTexts as texts } from './texts.ts'
import css from './composer-images.module.css'
import { mayRetry } from '#app/features/images/image-upload-queue.ts'
import uploadCss from './upload-state.module.css'

type Props = Omit<ReturnType<typeof useMessageImageUploads>, 'list' | 'take'> & {
  isClosed: boolean
}

export function ComposerImages({ chosen, error, isClosed, add, remove, retry }: Props) {
  const id = useId()
  const hasScript = useHydrated()
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const failed = chosen.filter(({ upload }) => upload.state === 'error').length
  // Scrolls to the first upload that has failed.
  useEffect(() => {
    if (failed > 0)
      list.current
        ?.querySelector('[data-failed]')
        ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [failed])
  function pick(input: HTMLInputElement) {
    add([...(input.files ?? [])])
    input.value = ''
  }
  const pickerButton = (
    label: string,
    Icon: typeof Images,
    input: RefObject<HTMLInputElement | null>,
  ) => (
    <button
      type="button"
      className="button quiet"
      popoverTarget={`${id}-ways`}
      popoverTargetAction="hide"
      onClick={() => input.current?.click()}
    >
      <Icon
        size={20}
        aria-hidden
      />{' '}
      {label}
    </button>
  )

  return (
    <>
      <div
        className={`slim ${css.chosen}`}
        hidden={chosen.length === 0 && error === null}
      >
        <ul
          className={`flush ${css.list}`}
          ref={list}
          aria-label={texts.chosen}
        >
          {chosen.map((picture, at) => (
            <li
              key={picture.id}
              className={`rigid anchor ${css.one}`}
              data-failed={picture.upload.state === 'error' || undefined}
            >
              <span className={`raised ${css.preview}`}>
                {picture.src && (
                  <img
                    src={picture.src}
                    alt={picture.file.name}
                  />
                )}
              </span>
              <UploadState
                upload={picture.upload}
                name={texts.pictureNumber(at + 1)}
                onRetry={mayRetry(picture) ? () => retry(picture.id) : undefined}
              />
              <button
                type="button"
                className={`in-middle ${css.remove}`}
                aria-label={texts.remove(at + 1)}
                onClick={() => {
                  remove(picture.id)
                  button.current?.focus()
                }}
              >
                <X
                  size={18}
                  aria-hidden
                />
              </button>
            </li>
          ))}
        </ul>
        <p
          className="error"
          role="alert"
        >
          {error}
        </p>
      </div>
      <div className={css.ways}>
        <button
          type="button"
          ref={button}
          className={`icon-button ${css.mouse}`}
          aria-label={texts.add}
          disabled={isClosed}
          onClick={() => picker.current?.click()}
        >
          <ImagePlus aria-hidden />
        </button>
        <button
          type="button"
          className={`icon-button ${css.touch}`}
          aria-label={texts.add}
          disabled={isClosed}
          popoverTarget={`${id}-ways`}
        >
          <ImagePlus aria-hidden />
        </button>
        <div
          className={`flush ${css.sheet}`}
          id={`${id}-ways`}
          popover="auto"
        >
          {pickerButton(texts.choose, Images, picker)}
          {pickerButton(texts.takePhoto, Camera, camera)}
        </div>
        <label className={css.picker}>
          {texts.picture}
          <input
            ref={picker}
            type="file"
            name="files"
            accept={ACCEPTED_TYPES}
            multiple={hasScript}
            disabled={isClosed}
            tabIndex={hasScript ? -1 : undefined}
            onChange={(event) => pick(event.currentTarget)}
          />
        </label>
        <input
          hidden
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          aria-label={texts.photo}
          onChange={(event) => pick(event.currentTarget)}
        />
      </div>
    </>
  )
}

type UploadStateProps = { upload: Upload; name: string; onRetry?: (() => void) | undefined }

export function UploadState({ upload, name, onRetry }: UploadStateProps) {
  if (upload.state === 'error')
    return (
      <span className={uploadCss.state}>
        <span className={uploadCss.failed}>{upload.text}</span>
        {onRetry && (
          <button
            type="button"
            className={uploadCss.retry}
            aria-label={texts.retryUpload(name)}
            onClick={onRetry}
          >
            {texts.retry}
          </button>
        )}
      </span>
    )
  if (upload.state !== 'pending') return null
  const { step, part = 0 } = upload
  if (step === 'offline') return <span className={uploadCss.state}>{texts.offline}</span>
  const isOnItsWay = step === 'sending' || step === 'storing'
  return (
    <progress
      className={`progress ${uploadCss.progress}`}
      aria-label={texts.upload(name)}
      max={1}
      value={isOnItsWay ? (step === 'storing' ? 1 : part) : undefined}
    />
  )
}
