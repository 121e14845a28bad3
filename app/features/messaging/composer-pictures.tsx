/** The pictures that go with the next message: chosen, taken, dropped or pasted; without script one file of the form (S-173). */
import { type RefObject, useEffect, useId, useRef } from 'react'
import { useHasScript } from '#app/ui/back-field.tsx'
import { type Upload, ACCEPTED } from '#app/features/images/picture-upload.ts'
import { Camera, ImagePlus, Images, X } from '#app/ui/icons.tsx'
import type { useChatPictures } from './chat-pictures.ts'
import css from './composer-pictures.module.css'
import { mayRetry } from '#app/features/images/image-upload-queue.ts'
import uploadCss from './upload-state.module.css'

type Props = Omit<ReturnType<typeof useChatPictures>, 'list' | 'take'> & { isClosed: boolean }

export function ComposerPictures({ chosen, error, isClosed, add, remove, retry }: Props) {
  const id = useId()
  const hasScript = useHasScript()
  const picker = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const failed = chosen.filter(({ upload }) => upload.state === 'error').length
  // Scrolling is the document's: what failed must be seen, however many there are.
  useEffect(() => {
    if (failed > 0) list.current?.querySelector('[data-failed]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [failed])
  function pick(input: HTMLInputElement) {
    add([...(input.files ?? [])])
    input.value = ''
  }
  const way = (label: string, Icon: typeof Images, input: RefObject<HTMLInputElement | null>) => (
    <button
      type="button"
      className="button quiet"
      popoverTarget={`${id}-ways`}
      popoverTargetAction="hide"
      onClick={() => input.current?.click()}
    >
      <Icon size={20} aria-hidden /> {label}
    </button>
  )

  return (
    <>
      <div className={`slim ${css.chosen}`} hidden={chosen.length === 0 && error === null}>
        <ul className={`flush ${css.list}`} ref={list} aria-label="Pictures to send">
          {chosen.map((picture, at) => (
            <li key={picture.id} className={`rigid anchor ${css.one}`} data-failed={picture.upload.state === 'error' || undefined}>
              <span className={`raised ${css.preview}`}>{picture.src && <img src={picture.src} alt={picture.file.name} />}</span>
              <UploadState
                upload={picture.upload}
                name={`picture ${at + 1}`}
                onRetry={mayRetry(picture) ? () => retry(picture.id) : undefined}
              />
              <button
                type="button"
                className={`in-middle ${css.remove}`}
                aria-label={`Remove picture ${at + 1}`}
                onClick={() => {
                  remove(picture.id)
                  button.current?.focus()
                }}
              >
                <X size={18} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
        <p className="error" role="alert">
          {error}
        </p>
      </div>
      <div className={css.ways}>
        <button
          type="button"
          ref={button}
          className={`icon-button ${css.mouse}`}
          aria-label="Add pictures"
          disabled={isClosed}
          onClick={() => picker.current?.click()}
        >
          <ImagePlus aria-hidden />
        </button>
        <button
          type="button"
          className={`icon-button ${css.touch}`}
          aria-label="Add pictures"
          disabled={isClosed}
          popoverTarget={`${id}-ways`}
        >
          <ImagePlus aria-hidden />
        </button>
        <div className={`flush ${css.sheet}`} id={`${id}-ways`} popover="auto">
          {way('Choose pictures', Images, picker)}
          {way('Take photo', Camera, camera)}
        </div>
        <label className={css.picker}>
          Picture
          <input
            ref={picker}
            type="file"
            name="files"
            accept={ACCEPTED}
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
          aria-label="Photo"
          onChange={(event) => pick(event.currentTarget)}
        />
      </div>
    </>
  )
}

type UploadStateProps = { upload: Upload; name: string; onRetry?: (() => void) | undefined }

/** FILES-07 to FILES-10 */
export function UploadState({ upload, name, onRetry }: UploadStateProps) {
  if (upload.state === 'error')
    return (
      <span className={uploadCss.state}>
        <span className={uploadCss.failed}>{upload.text}</span>
        {onRetry && (
          <button type="button" className={uploadCss.retry} aria-label={`Retry upload of ${name}`} onClick={onRetry}>
            Retry
          </button>
        )}
      </span>
    )
  if (upload.state !== 'pending') return null
  const { step, part = 0 } = upload
  if (step === 'offline') return <span className={uploadCss.state}>Waits for the connection</span>
  const isOnItsWay = step === 'sending' || step === 'storing'
  return (
    <progress
      className={`progress ${uploadCss.progress}`}
      aria-label={`Upload of ${name}`}
      max={1}
      value={isOnItsWay ? (step === 'storing' ? 1 : part) : undefined}
    />
  )
}
