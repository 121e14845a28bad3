import {
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type RefObject,
} from 'react'
import type { ActionResult } from '#ui/action-result.ts'
import { FormContext } from '#ui/form-fields.tsx'
import { ACCEPTED_TYPES, type FileRefusal, validateFile } from './image-upload.ts'
import { shortFileErrorTexts } from './texts.ts'
import css from './image-field.module.css'

type ImageFieldProps = {
  label: string
  errorTexts?: Record<FileRefusal, string>
  onPreview?: (src: string | null) => void
  /** Clicks the form's first button as soon as a valid file is chosen. */
  uploadsAtOnce?: boolean
}

/** Shows the form's error unless another field caused it, and resets the form after a save. */
export function ImageField({
  label,
  errorTexts = shortFileErrorTexts,
  onPreview,
  uploadsAtOnce = false,
}: ImageFieldProps) {
  const id = useId()
  const { answer, isPending } = useContext(FormContext)
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [src, setSrc] = useState<string | null>(null)
  const [earlierAnswer, setEarlierAnswer] = useState<ActionResult>()
  const isOwnError = answer !== earlierAnswer && (answer?.field ?? 'file') === 'file'
  const refusal = file ? validateFile(file) : null
  const serverError = isOwnError ? answer?.error : undefined
  const text = refusal ? errorTexts[refusal] : serverError

  function preview(next: string | null) {
    setSrc(next)
    onPreview?.(next)
  }
  function clear() {
    input.current!.value = ''
    setFile(null)
    preview(null)
  }
  useEffect(() => {
    if (answer?.ok && !isPending) input.current?.form?.reset()
  }, [answer, isPending])
  useFormEvents(input, clear)
  useEffect(() => () => void (src && URL.revokeObjectURL(src)), [src])
  return (
    <div className={`grid gap-4 min-w-0 ${css.field}`}>
      <label
        className="font-semibold"
        htmlFor={id}
      >
        {label}
      </label>
      <div className="flex items-center gap-3">
        {src && !refusal && !onPreview && (
          <img
            className={`flex-none ${css.preview}`}
            src={src}
            alt=""
            onError={() => setSrc(null)}
          />
        )}
        <input
          className={`min-w-0 w-full ${css.file}`}
          id={id}
          ref={input}
          type="file"
          name="file"
          accept={ACCEPTED_TYPES}
          aria-invalid={text ? true : undefined}
          aria-describedby={`${id}-error`}
          onChange={(event) => {
            const chosenFile = event.currentTarget.files?.[0] ?? null
            const isValid = chosenFile && !validateFile(chosenFile)
            setFile(chosenFile)
            setEarlierAnswer(answer)
            preview(isValid ? URL.createObjectURL(chosenFile) : null)
            if (isValid && uploadsAtOnce) {
              const { form } = event.currentTarget
              form?.requestSubmit(form.querySelector('button'))
            }
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

function useFormEvents(input: RefObject<HTMLInputElement | null>, clear: () => void) {
  const onReset = useEffectEvent(clear)
  const onSubmit = useEffectEvent((event: SubmitEvent) => {
    const file = input.current?.files?.[0]
    if (!file) return
    if ((event.submitter as HTMLButtonElement | null)?.formNoValidate) clear()
    else if (validateFile(file)) event.preventDefault()
  })
  useEffect(() => {
    const form = input.current?.form
    const page = new AbortController()
    const { signal } = page
    form?.addEventListener('reset', () => onReset(), { signal })
    form?.addEventListener('submit', (event) => onSubmit(event), { signal })
    return () => page.abort()
  }, [input])
}
