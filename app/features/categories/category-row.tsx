/** One category as visitors see its banner, and behind "Edit" what can be changed of it. */
import { useEffect, useRef, type ReactNode } from 'react'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import type { Category } from '#app/features/catalog/catalog.ts'
import { PictureField } from '#app/features/uploads/picture-field.tsx'
import { readThemeColor } from './category-fields.ts'
import { CategoryForm } from './category-form.tsx'
import css from './category-row.module.css'
import { useDraft } from './use-draft.ts'

export function CategoryRow({ category, handle, children }: { category: Category; handle: ReactNode; children: ReactNode }) {
  const title = useDraft(category.title)
  const color = useDraft(category.color)
  const tint = readThemeColor(color.value) ?? category.color
  return (
    <div className={`card ${css.row}`} style={{ '--tint': tint }}>
      <div className={css.banner}>
        {handle}
        <h2 className={css.title}>{title.value.trim() || category.title}</h2>
        {category.picture && <Picture className={css.picture} picture={category.picture} alt="" sizes="4rem" />}
      </div>
      <details className={css.details}>
        <summary className={css.summary} aria-label={`Edit ${category.title}`}>
          Edit
          <ChevronDown aria-hidden size={18} />
        </summary>
        <div className={css.body}>
          <CategoryForm category={category} title={title} color={color} />
          <div className={css.samples} aria-hidden>
            {(['dark', 'light'] as const).map((theme) => (
              <div key={theme} className={css.sample} data-theme={theme}>
                <b>{title.value.trim() || category.title}</b>
                <span>{theme === 'dark' ? 'In the dark theme' : 'In the light theme'}</span>
              </div>
            ))}
          </div>
          <PictureForm category={category} />
          {children}
        </div>
      </details>
    </div>
  )
}

/** CATEGORY-04, CATEGORY-08 to CATEGORY-11 */
function PictureForm({ category }: { category: Category }) {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const isBusy = fetcher.state !== 'idle'
  const { data } = fetcher
  // A file field keeps its file until the document's form is reset.
  useEffect(() => {
    if (data?.ok) form.current?.reset()
  }, [data])
  return (
    <fetcher.Form ref={form} method="post" encType="multipart/form-data" className={css.pictureForm}>
      <BackField />
      <input type="hidden" name="id" value={category.id} />
      <PictureField label="Image" error={data?.error} />
      <button
        className="button quiet"
        name="intent"
        value="picture"
        aria-disabled={isBusy}
        aria-label={`Change image of ${category.title}`}
      >
        {isBusy ? 'Uploading…' : 'Change image'}
      </button>
    </fetcher.Form>
  )
}
