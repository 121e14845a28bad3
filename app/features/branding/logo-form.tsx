import { ImageField } from '#images/image-field.tsx'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { logoUrl } from './logo.ts'
import css from './logo-form.module.css'
import { logoErrorTexts, logoTexts as texts } from './texts.ts'

const ACTION_URL = '/manage/logo'

type LogoFormProps = { logo: string; minSide: number }

export function LogoForm({ logo, minSide }: LogoFormProps) {
  const form = useActionForm()
  const hasScript = useHydrated()
  return (
    <>
      <p className="text-soft">{texts.hint}</p>
      <div className={`flex flex-wrap gap-3 ${css.logo}`}>
        {logo && (
          <img
            className="flex-none"
            src={logoUrl(logo, 'any-192.png')}
            width={72}
            height={72}
            alt={texts.current}
          />
        )}
        <ActionForm
          form={form}
          action={ACTION_URL}
          encType="multipart/form-data"
          className="grid gap-4 min-w-0 w-full"
        >
          <ImageField
            label={texts.image}
            errorTexts={logoErrorTexts(minSide)}
            uploadsAtOnce
          />
          <div hidden={hasScript}>
            <SubmitButton>{texts.save}</SubmitButton>
          </div>
        </ActionForm>
      </div>
      {logo && (
        <ConfirmForm
          form={form}
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
