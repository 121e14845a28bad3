/** The photo beside one's name (LOGIN-17): chosen, made smaller here, sent; or taken away again. */
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { refusePicked } from '#app/features/images/picture-upload.ts'
import { PictureField } from '#app/features/images/picture-field.tsx'
import { resizeImage } from '#app/features/images/image-upload-queue.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { photoOf } from '#app/ui/profile-photo.ts'
import css from './photo-form.module.css'

const ACTION = '/account/photo'

export function PhotoForm({ image }: { image: string | null }) {
  const form = useRef<HTMLFormElement>(null)
  const [isShrinking, setShrinking] = useState(false)
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const isPending = isShrinking || fetcher.state !== 'idle'
  const isDone = fetcher.state === 'idle' && fetcher.data?.ok === true
  // The chosen file lives in the browser's field.
  useEffect(() => {
    if (isDone) form.current?.reset()
  }, [isDone])

  async function send(sent: FormData) {
    const file = sent.get('file')
    if (file instanceof File && file.size > 0) {
      // The field says why, already.
      if (refusePicked(file)) return
      setShrinking(true)
      const small = await resizeImage(file)
      sent.set('file', small.file, file.name)
      setShrinking(false)
    }
    await fetcher.submit(sent, { method: 'post', action: ACTION, encType: 'multipart/form-data' })
  }

  return (
    <div className={`stack gap-below ruled ${css.photo}`}>
      <img src={photoOf(image)} width={96} height={96} alt={image ? 'Your photo' : 'No photo yet'} />
      <fetcher.Form
        ref={form}
        className={`stack slim ${css.form}`}
        method="post"
        action={ACTION}
        encType="multipart/form-data"
        aria-busy={isPending}
        onSubmit={(event) => {
          event.preventDefault()
          void send(new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter))
        }}
      >
        <BackField />
        <PictureField label="Photo" error={isPending ? undefined : fetcher.data?.error} />
        <div className="wrap">
          <button className="button" aria-disabled={isPending} aria-busy={isPending}>
            Save Photo
          </button>
          {image !== null && (
            <button className="button quiet" name="intent" value="remove" aria-disabled={isPending}>
              Remove Photo
            </button>
          )}
        </div>
      </fetcher.Form>
    </div>
  )
}
