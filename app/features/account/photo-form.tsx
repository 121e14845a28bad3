import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { PictureField } from '#app/features/images/image-field.tsx'
import { resizeImage } from '#app/features/images/image-upload-queue.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { photoOf } from '#app/ui/profile-photo.ts'
import { profileTexts as texts } from './texts.ts'
import css from './photo-form.module.css'

const ACTION_URL = '/account/photo'

export function PhotoForm({ image }: { image: string | null }) {
  const form = useRef<HTMLFormElement>(null)
  const [isShrinking, setShrinking] = useState(false)
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = isShrinking || fetcher.state !== 'idle'
  const isDone = fetcher.state === 'idle' && fetcher.data?.ok === true
  // Resets the form after the photo is saved, so that the file field is empty again.
  useEffect(() => {
    if (isDone) form.current?.reset()
  }, [isDone])

  async function send(sent: FormData) {
    const file = sent.get('file')
    if (file instanceof File && file.size > 0) {
      setShrinking(true)
      const small = await resizeImage(file)
      sent.set('file', small.file, file.name)
      setShrinking(false)
    }
    await fetcher.submit(sent, {
      method: 'post',
      action: ACTION_URL,
      encType: 'multipart/form-data',
    })
  }

  return (
    <div className={`stack gap-below ruled ${css.photo}`}>
      <img
        src={photoOf(image)}
        width={96}
        height={96}
        alt={image ? texts.yourPhoto : texts.noPhoto}
      />
      <fetcher.Form
        ref={form}
        className={`stack slim ${css.form}`}
        method="post"
        action={ACTION_URL}
        encType="multipart/form-data"
        aria-busy={isPending}
        onSubmit={(event) => {
          if (event.defaultPrevented) return
          event.preventDefault()
          void send(new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter))
        }}
      >
        <RedirectToField />
        <PictureField
          label={texts.photo}
          error={isPending ? undefined : fetcher.data?.error}
        />
        <div className="wrap">
          <button
            className="button"
            aria-disabled={isPending}
            aria-busy={isPending}
          >
            {texts.savePhoto}
          </button>
          {image !== null && (
            <button
              className="button quiet"
              name="intent"
              value="remove"
              formNoValidate
              aria-disabled={isPending}
            >
              {texts.removePhoto}
            </button>
          )}
        </div>
      </fetcher.Form>
    </div>
  )
}
