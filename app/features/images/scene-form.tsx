import { useState } from 'react'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { ResponsiveImage, type ImageView } from '#ui/responsive-image.tsx'
import { ImageField } from './image-field.tsx'
import { imageErrorTexts, sceneFormTexts as texts, sceneTexts } from './owner-texts.ts'
import css from './scene-form.module.css'

export type SceneView = {
  scene: keyof typeof sceneTexts
  image: ImageView | null
  isDefault: boolean
}

export function SceneForm({ scene, image, isDefault }: SceneView) {
  const form = useActionForm()
  const hasScript = useHydrated()
  const [preview, setPreview] = useState<string | null>(null)
  const name = sceneTexts[scene]
  return (
    <ActionForm
      form={form}
      encType="multipart/form-data"
      className={`grid gap-4 min-w-0 ${css.form}`}
      fields={{ scene }}
    >
      {preview ? (
        <img
          className={css.image}
          src={preview}
          alt={texts.preview(name)}
          onError={() => setPreview(null)}
        />
      ) : (
        image && (
          <ResponsiveImage
            className={css.image}
            image={image}
            alt=""
            sizes="(min-width: 48.0625em) 22rem, 92vw"
          />
        )
      )}
      <div inert={form.isPending}>
        <ImageField
          label={name}
          errorTexts={imageErrorTexts}
          onPreview={setPreview}
          uploadsAtOnce
        />
      </div>
      {form.isPending && preview && <p className="hint m-0">{texts.uploading}</p>}
      <div className="row">
        <SubmitButton
          className="button quiet"
          name="intent"
          value="image"
          aria-label={texts.uploadOf(name)}
          hidden={hasScript}
        >
          {texts.upload}
        </SubmitButton>
        {!isDefault && (
          <SubmitButton
            className="button quiet"
            name="intent"
            value="default-image"
            formNoValidate
            aria-label={texts.useDefaultOf(name)}
          >
            {texts.useDefault}
          </SubmitButton>
        )}
      </div>
    </ActionForm>
  )
}
