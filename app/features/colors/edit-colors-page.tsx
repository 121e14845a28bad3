/** The owner's colours (COLOR-01 to COLOR-18). */
import { useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/ask.tsx'
import { BackField } from '#app/ui/back-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { PictureField } from '#app/features/uploads/picture-field.tsx'
import css from './edit-colors-page.module.css'

type Props = { colors: Color[]; uses: Record<string, string[]> }

export function EditColorsPage({ colors, uses }: Props) {
  return (
    <main className="page" id="main">
      <h1>Colors</h1>
      <AddColor />
      {colors.length === 0 && <p className="soft">No colors yet. Add the first one above.</p>}
      <ul className={css.grid} role="list">
        {colors.map((color) => (
          <ColorCard key={color.id} color={color} uses={uses[color.id] ?? []} />
        ))}
      </ul>
    </main>
  )
}

function AddColor() {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const { data } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // A file field keeps its file until the document's form is reset.
  useEffect(() => {
    if (data?.ok) form.current?.reset()
  }, [data])
  return (
    <fetcher.Form ref={form} method="post" encType="multipart/form-data" className={`card ${css.add}`} aria-labelledby="add-color">
      <h2 id="add-color">Add Color</h2>
      <BackField />
      <div className={css.addFields}>
        <div className="field">
          <label htmlFor="color-name">Name</label>
          <input
            className="input"
            id="color-name"
            name="name"
            maxLength={100}
            autoComplete="off"
            aria-invalid={error('name') ? true : undefined}
            aria-describedby="color-name-error"
          />
          <p className="error" id="color-name-error" role="alert">
            {error('name')}
          </p>
        </div>
        <PictureField label="Image" error={error('file')} />
      </div>
      <button className="button" name="intent" value="add" aria-disabled={fetcher.state !== 'idle' ? true : undefined}>
        {fetcher.state === 'idle' ? 'Add Color' : 'Adding…'}
      </button>
    </fetcher.Form>
  )
}

function ColorCard({ color, uses }: { color: Color; uses: string[] }) {
  const name = colorName(color)
  const deleting = useFetcher<Answer>()
  return (
    <li className={`card ${css.card}`} data-busy={deleting.state !== 'idle' || undefined}>
      {color.picture ? <Picture className={css.swatch} picture={color.picture} alt="" sizes="12rem" /> : <div className={css.swatch} />}
      <h2 className={css.name}>{name}</h2>
      <Mark color={color} mark="isAvailable" label="available" />
      <Mark color={color} mark="isLowOnStock" label="low stock" />
      <Ask label="Delete" ariaLabel={`Delete ${name}`} question={`Delete the color ${name}?`}>
        {(yesNo) => (
          <deleting.Form method="post">
            <BackField />
            <input type="hidden" name="intent" value="delete" />
            <input type="hidden" name="id" value={color.id} />
            <p>{usedIn(uses)}</p>
            {yesNo}
          </deleting.Form>
        )}
      </Ask>
    </li>
  )
}

const usedIn = (uses: string[]): string => {
  if (uses.length === 0) return 'No item uses it.'
  const first = uses.slice(0, 5).join(', ')
  const rest = uses.length > 5 ? ` and ${uses.length - 5} more` : ''
  return `It is used in ${uses.length === 1 ? '1 item' : `${uses.length} items`}: ${first}${rest}. They will no longer show it.`
}

/** COLOR-07, COLOR-08: written at once; while it is on its way the box shows what was asked for, afterwards what is stored (S-104). */
function Mark({ color, mark, label }: { color: Color; mark: 'isAvailable' | 'isLowOnStock'; label: string }) {
  const fetcher = useFetcher<Answer>()
  const isSet = fetcher.formData ? fetcher.formData.has('on') : color[mark]
  return (
    <fetcher.Form method="post">
      <BackField />
      <input type="hidden" name="intent" value="mark" />
      <input type="hidden" name="id" value={color.id} />
      <input type="hidden" name="mark" value={mark} />
      <label className={css.markLabel}>
        <input
          type="checkbox"
          name="on"
          aria-label={`${label} (${colorName(color)})`}
          checked={isSet}
          onChange={(event) => void fetcher.submit(event.currentTarget.form)}
        />
        {label}
      </label>
      <noscript>
        <button className="button quiet">Save</button>
      </noscript>
    </fetcher.Form>
  )
}
