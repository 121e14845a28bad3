import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import { Picture, type PictureView } from '#app/ui/picture.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { PictureField } from './image-field.tsx'
import { pictureErrorTexts, sceneFormTexts as texts, sceneTexts } from './owner-texts.ts'
import css from './scene-form.module.css'

export type SceneView = {
  scene: keyof typeof sceneTexts
  picture: PictureView | null
  isDefault: boolean
}

/** Shows a picture of Home or About, or the file that the owner has chosen instead. */
export function SceneForm({ scene, picture, isDefault }: SceneView) {
  const fetcher = useFetcher<ActionResult>()
  const form = useRef<HTMLFormElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const isBusy = fetcher.state !== 'idle'
  const { data } = fetcher
  useActionToasts(data)
  // After the picture is saved, the form is reset, so that the file field is empty again.
  useEffect(() => {
    if (data?.ok) form.current?.reset()
  }, [data])
  const name = sceneTexts[scene]
  return (
    <fetcher.Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      className={`stack slim ${css.form}`}
    >
      <HiddenFields scene={scene} />
      {chosen ? (
        <img
          className={css.picture}
          src={chosen}
          alt={texts.preview(name)}
          onError={() => setChosen(null)}
        />
      ) : (
        picture && (
          <Picture
            className={css.picture}
            picture={picture}
            alt=""
            sizes="(min-width: 48.0625em) 22rem, 92vw"
          />
        )
      )}
      <div inert={fetcher.state === 'submitting'}>
        <PictureField
          label={name}
          error={data?.error}
          errorTexts={pictureErrorTexts}
          onPreview={setChosen}
        />
      </div>
      {chosen && <p className="hint flush">{texts.notSaved}</p>}
      <div className="cluster">
        <button
          className={chosen ? 'button' : 'button quiet'}
          name="intent"
          value="picture"
          aria-disabled={isBusy}
          aria-label={texts.uploadOf(name)}
        >
          {isBusy ? texts.uploading : texts.upload}
        </button>
        {!isDefault && (
          <button
            className="button quiet"
            name="intent"
            value="default-picture"
            formNoValidate
            aria-disabled={isBusy}
            aria-label={texts.useDefaultOf(name)}
          >
            {texts.useDefault}
          </button>
        )}
      </div>
    </fetcher.Form>
  )
}
