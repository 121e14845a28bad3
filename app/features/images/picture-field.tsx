import { useEffect, useId, useRef, useState } from 'react'
import { ACCEPTED, refusePicked, shortPickTexts } from './picture-upload.ts'
import css from './picture-field.module.css'

type Props = { label: string; error?: string | undefined }

/** CATEGORY-09 to CATEGORY-11, COLOR-15 to COLOR-17: an unfit file is told at once, and again by the server. */
export function PictureField({ label, error }: Props) {
  const id = useId()
  const [picked, setPicked] = useState<File | null>(null)
  const [src, setSrc] = useState<string | null>(null)
  // Chosen since the form was last sent: what the server said was about another file.
  const [isFresh, setFresh] = useState(false)
  const refusal = picked ? refusePicked(picked) : null
  const text = refusal ? shortPickTexts[refusal] : isFresh ? undefined : error
  const input = useRef<HTMLInputElement>(null)
  // Resetting a form empties its fields outside React, and only the form hears that it is sent.
  useEffect(() => {
    const form = input.current?.form
    const clear = () => {
      setPicked(null)
      setSrc(null)
    }
    const sent = () => setFresh(false)
    form?.addEventListener('reset', clear)
    form?.addEventListener('submit', sent)
    return () => {
      form?.removeEventListener('reset', clear)
      form?.removeEventListener('submit', sent)
    }
  }, [])
  // The address of a chosen file lives outside React and must be given back.
  useEffect(() => () => void (src && URL.revokeObjectURL(src)), [src])
  return (
    <div className={`stack slim ${css.field}`}>
      <label className="strong" htmlFor={id}>
        {label}
      </label>
      <div className="row">
        {src && !refusal && <img className={`rigid ${css.preview}`} src={src} alt="" onError={() => setSrc(null)} />}
        <input
          className={`slim wide ${css.file}`}
          id={id}
          ref={input}
          type="file"
          name="file"
          accept={ACCEPTED}
          aria-invalid={text ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0] ?? null
            setPicked(file)
            setFresh(file !== null)
            setSrc(file && !refusePicked(file) ? URL.createObjectURL(file) : null)
          }}
        />
      </div>
      <p className="error" id={`${id}-error`} role="alert">
        {text}
      </p>
    </div>
  )
}
