import { useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import { PictureField } from '#app/features/images/image-field.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { ConfirmForm } from '#app/ui/form-fields.tsx'
import { RedirectToField } from '#app/ui/redirect-field.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { logoUrl } from './logo.ts'
import css from './logo-form.module.css'
import { logoErrorTexts, logoTexts as texts } from './texts.ts'

const ACTION_URL = '/manage/logo'

type Props = { logo: string; minSide: number }

export function LogoForm({ logo, minSide }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const isDone = !isPending && fetcher.data?.ok === true
  // After a save, the form is reset, because otherwise the file field would still contain the saved file.
  useEffect(() => {
    if (isDone) form.current?.reset()
  }, [isDone])
  return (
    <>
      <p className="soft">{texts.hint}</p>
      <div className={`wrap ${css.logo}`}>
        {logo && (
          <img
            className="rigid"
            src={logoUrl(logo, 'any-192.png')}
            width={72}
            height={72}
            alt={texts.current}
          />
        )}
        <fetcher.Form
          ref={form}
          method="post"
          action={ACTION_URL}
          encType="multipart/form-data"
          className="stack slim wide"
          aria-busy={isPending}
        >
          <RedirectToField />
          <PictureField
            label={texts.picture}
            error={isPending ? undefined : fetcher.data?.error}
            errorTexts={logoErrorTexts(minSide)}
          />
          <div>
            <button
              className="button"
              aria-disabled={isPending}
              aria-busy={isPending}
            >
              {texts.save}
            </button>
          </div>
        </fetcher.Form>
      </div>
      {logo && (
        <ConfirmForm
          form={fetcher.Form}
          action={ACTION_URL}
          fields={{ intent: 'remove' }}
          label={texts.remove}
          question={texts.removeQuestion}
          className="button danger"
        />
      )}
    </>
  )
}
