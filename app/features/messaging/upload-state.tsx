/** How far the upload of one picture of a message is (FILES-07 to FILES-10). */
import type { Upload } from '#app/features/images/picture-upload.ts'
import { mayRetryPicture } from './message-pictures.ts'
import css from './upload-state.module.css'

type Props = { upload: Upload; name: string; onRetry?: () => void }

export function UploadState({ upload, name, onRetry }: Props) {
  if (upload.state === 'error')
    return (
      <span className={css.state}>
        <span className={css.failed}>{upload.text}</span>
        {onRetry && mayRetryPicture(upload.text) && (
          <button type="button" className={css.retry} aria-label={`Retry upload of ${name}`} onClick={onRetry}>
            Retry
          </button>
        )}
      </span>
    )
  if (upload.state !== 'pending') return null
  const { step, part = 0 } = upload
  if (step === 'offline') return <span className={css.state}>Waits for the connection</span>
  const isOnItsWay = step === 'sending' || step === 'storing'
  return (
    <progress
      className={`progress ${css.progress}`}
      aria-label={`Upload of ${name}`}
      max={1}
      value={isOnItsWay ? (step === 'storing' ? 1 : part) : undefined}
    />
  )
}
