/** How far the upload of one image is; it can be cancelled, and tried again where that may help (FILES-07 to FILES-10). */
import type { EditorImage, Upload } from '#app/features/uploads/picture-upload.ts'
import { mayRetry } from './editor-images.ts'
import css from './edit-images.module.css'

type Props = {
  image: EditorImage
  name: string
  hasCategory: boolean
  onCancel: (id: string) => void
  onRetry: (id: string) => void
}

export function EditImageUpload({ image: { id, upload }, name, hasCategory, onCancel, onRetry }: Props) {
  if (upload === null || upload.state === 'deleted') return null
  if (upload.state === 'uploaded') return <p className={css.state}>Uploaded</p>
  if (upload.state === 'error')
    return (
      <div className={css.state}>
        <p className="error">{upload.text}</p>
        {mayRetry(upload) && (
          <button type="button" className={css.act} aria-label={`Retry upload of ${name}`} onClick={() => onRetry(id)}>
            Retry
          </button>
        )}
      </div>
    )
  return (
    <div className={css.state}>
      <p>{textOf(upload, hasCategory)}</p>
      {hasCategory && upload.step !== 'shrinking' && (
        <button type="button" className={css.act} aria-label={`Cancel upload of ${name}`} onClick={() => onCancel(id)}>
          Cancel
        </button>
      )}
      {isOnItsWay(upload) && <progress className={css.progress} aria-label={`Upload of ${name}`} max={1} value={partOf(upload)} />}
    </div>
  )
}

type Pending = Upload & { state: 'pending' }

function textOf({ step, part = 0 }: Pending, hasCategory: boolean): string {
  if (step === 'offline') return 'Waits for the connection'
  if (step === 'sending') return `Uploading ${Math.floor(part * 100)}%`
  if (step === 'storing') return 'Almost there…'
  if (step === 'shrinking') return 'Preparing…'
  return hasCategory ? 'Waiting…' : 'Waits for a category'
}

const isOnItsWay = ({ step }: Pending) => step === 'sending' || step === 'storing'
const partOf = ({ step, part = 0 }: Pending): number => (step === 'storing' ? 1 : part)
