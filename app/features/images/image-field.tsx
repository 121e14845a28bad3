import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { ACCEPTED_TYPES, type FileRefusal, validateFile } from './image-upload.ts'
import { shortFileErrorTexts } from './texts.ts'
import css from './image-field.module.css'

type Props = {
  label: string
  error?: string | undefined
  errorTexts?: Record<FileRefusal, string>
  onPreview?: (src: string | null) => void
}

/**
 * An image picker that shows an error for an unsuitable file and does not send this file. A button with `formNoValidate`, such as
 * "Remove", submits the form without a file. If `onPreview` is given, the caller shows the preview of the chosen file. [CATEGORY-09 to CATEGORY-11, COLOR-15 to COLOR-17]
 */
export function PictureField({ label, error, errorTexts = shortFileErrorTexts, onPreview }: Props) {
  const id = useId()
  const [picked, setPicked] = useState<File | null>(null)
  const [src, setPreview] = useState<string | null>(null)
  const setSrc = useCallback(
    (next: string | null) => {
      setPreview(next)
      onPreview?.(next)
    },
    [onPreview],
  )
  // A newly chosen file hides the server's error about the previous file.
  const [isFresh, setFresh] = useState(false)
  const refusal = picked ? validateFile(picked) : null
  const text = refusal ? errorTexts[refusal] : isFresh ? undefined : error
  const input = useRef<HTMLInputElement>(null)
  // A reset of the form empties the file field without React, so the preview must be removed here.
  useEffect(() => {
    const form = input.current?.form
    const clear = () => {
      setPicked(null)
      setSrc(null)
    }
    const sent = (event: SubmitEvent) => {
      setFresh(false)
      const file = input.current?.files?.[0]
      if (!file) return
      if ((event.submitter as HTMLButtonElement | null)?.formNoValidate) {
        input.current!.value = ''
        clear()
      } else if (validateFile(file)) event.preventDefault()
    }
    form?.addEventListener('reset', clear)
    form?.addEventListener('submit', sent)
    return () => {
      form?.removeEventListener('reset', clear)
      form?.removeEventListener('submit', sent)
    }
  }, [setSrc])
  useEffect(() => () => void (src && URL.revokeObjectURL(src)), [src])
  return (
    <div className={`stack slim ${css.field}`}>
      <label
        className="strong"
        htmlFor={id}
      >
        {label}
      </label>
      <div className="row">
        {src && !refusal && !onPreview && (
          <img
            className={`rigid ${css.preview}`}
            src={src}
            alt=""
            onError={() => setSrc(null)}
          />
        )}
        <input
          className={`slim wide ${css.file}`}
          id={id}
          ref={input}
          type="file"
          name="file"
          accept={ACCEPTED_TYPES}
          aria-invalid={text ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0] ?? null
            setPicked(file)
            setFresh(file !== null)
            setSrc(file && !validateFile(file) ? URL.createObjectURL(file) : null)
          }}
        />
      </div>
      <p
        className="error"
        id={`${id}-error`}
        role="alert"
      >
        {text}
      </p>
    </div>
  )
}
