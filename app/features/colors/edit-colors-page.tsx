import { useEffect, useRef, useState, useEffectEvent } from 'react'
import { useFetcher, Link, href } from 'react-router'
import { Plus, Pencil, Trash2 } from '#app/ui/icons.tsx'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { Field, AskForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { type Color, colorName } from '#app/features/catalog/catalog.ts'
import type { Answer } from '#app/ui/answer.ts'
import { PictureField } from '#app/features/images/picture-field.tsx'
import {
  type ColorFilter,
  type ColorUses,
  EVERY_COLOR,
  LONGEST_NAME,
  NO_USES,
  filterColors,
  type ColorMark,
  colorMarks,
} from './color-fields.ts'
import { Picture } from '#app/ui/picture.tsx'
import { Choices, CloseButton, Question, dialogAround } from '#app/ui/question.tsx'
import { discountTag } from '#app/features/pricing/money.ts'
import css from './edit-colors-page.module.css'
import cardCss from './color-card.module.css'

type Props = { colors: Color[]; uses: ReadonlyMap<string, ColorUses> }

/** Fewer are seen at a glance. */
const FILTERED_FROM = 9

export function EditColorsPage({ colors, uses }: Props) {
  const hasScript = useHasScript()
  const [filter, setFilter] = useState(EVERY_COLOR)
  const shown = filterColors(colors, filter)
  return (
    <main className="page" id="main">
      <h1>Colors</h1>
      <AddColor isOpen={colors.length === 0} onAdded={() => setFilter(EVERY_COLOR)} />
      {hasScript && colors.length >= FILTERED_FROM && <Filter colors={colors} filter={filter} onChange={setFilter} />}
      {colors.length === 0 && <p className="soft">No colors yet. Add the first one above.</p>}
      <p className={shown.length === 0 && colors.length > 0 ? 'soft' : 'unseen'} role="status">
        {shown.length === 0 && colors.length > 0 ? 'No color is like that.' : filter === EVERY_COLOR ? '' : countText(shown.length)}
      </p>
      <ul className={`stack ${css.grid}`} role="list">
        {shown.map((color) => (
          <ColorCard key={color.id} color={color} uses={uses.get(color.id) ?? NO_USES} />
        ))}
      </ul>
    </main>
  )
}

const countText = (count: number) => (count === 1 ? '1 color' : `${count} colors`)

type FilterProps = { colors: Color[]; filter: ColorFilter; onChange: (filter: ColorFilter) => void }

function Filter({ colors, filter, onChange }: FilterProps) {
  const choices = [
    ['all', 'All', colors.length],
    ['low', 'Low stock', colors.filter(({ isLowOnStock }) => isLowOnStock).length],
    ['gone', 'Not available', colors.filter(({ isAvailable }) => !isAvailable).length],
  ] as const
  return (
    <div className={`stack ${css.filter}`} role="search" aria-label="Colors">
      <input
        className="input"
        type="search"
        aria-label="Find a color"
        placeholder="Find a color"
        value={filter.words}
        onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
      />
      <div className="choices" role="group" aria-label="Show">
        {choices.map(([only, label, count]) => (
          <button key={only} type="button" aria-pressed={filter.only === only} onClick={() => onChange({ ...filter, only })}>
            {label} <span className="tabular">{count}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

function AddColor({ isOpen, onAdded }: { isOpen: boolean; onAdded: () => void }) {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const [added, setAdded] = useState('')
  const [opensFirst] = useState(isOpen)
  const { data, state } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // A file field keeps its file until the document's form is reset; then the next colour can be typed.
  useEffect(() => {
    if (!data?.ok) return
    setAdded(name.current?.value.trim() ?? '')
    form.current?.reset()
    name.current?.focus()
    onAdded()
    // oxlint-disable-next-line exhaustive-deps -- once for each answer
  }, [data])
  const isBusy = state !== 'idle'
  return (
    <details className={`card fold gap-below ${css.add}`} open={opensFirst}>
      <summary className={css.summary}>
        <Plus size={20} aria-hidden />
        <h2 id="add-color">Add Color</h2>
      </summary>
      <fetcher.Form ref={form} method="post" encType="multipart/form-data" className={`stack ${css.form}`} aria-labelledby="add-color">
        <BackField />
        <Field label="Name" name="name" id="color-name" error={error('name')}>
          {(tied) => <input {...tied} ref={name} maxLength={LONGEST_NAME} autoComplete="off" />}
        </Field>
        <PictureField label="Image" error={error('file')} />
        <p className={`cluster flush ${css.end}`}>
          <button className="button" name="intent" value="add" aria-disabled={isBusy}>
            {isBusy ? 'Adding…' : 'Add Color'}
          </button>
          <span className="soft" role="status">
            {!isBusy && data?.ok && added && `${added} is added`}
          </span>
        </p>
      </fetcher.Form>
    </details>
  )
}

function ColorCard({ color, uses }: { color: Color; uses: ColorUses }) {
  const deleting = useFetcher<Answer>()
  const name = colorName(color)
  return (
    <li className={`card stack ${cardCss.card}`} data-busy={deleting.state !== 'idle' || undefined}>
      {color.picture ? (
        <Picture className={`wide ${cardCss.swatch}`} picture={color.picture} alt="" sizes="6rem" />
      ) : (
        <div className={`wide ${cardCss.swatch}`} />
      )}
      <h2 className={`two-lines flush ${cardCss.name}`}>{name}</h2>
      <div className={cardCss.acts}>
        <Question
          label={<Pencil size={20} aria-hidden />}
          className="icon-button"
          ariaLabel={`Edit ${name}`}
          question={`Edit the color ${name}`}
        >
          {(dialogId) => <ChangeForm color={color} dialogId={dialogId} />}
        </Question>
        <AskForm
          form={deleting.Form}
          fields={{ intent: 'delete', id: color.id }}
          label={<Trash2 size={20} aria-hidden />}
          className="icon-button"
          ariaLabel={`Delete ${name}`}
          question={`Delete the color ${name}?`}
        >
          <Uses uses={uses} />
          {color.discount && <p>{`It is marked ${discountTag(color.discount)}; that goes with it.`}</p>}
        </AskForm>
      </div>
      <div className={`cluster ${cardCss.marks}`}>
        <Mark color={color} mark="isAvailable" />
        <Mark color={color} mark="isLowOnStock" />
      </div>
    </li>
  )
}

/** COLOR-07, COLOR-08: written at once; while it is on its way the box shows what was asked for, afterwards what is stored (S-104). */
function Mark({ color, mark }: { color: Color; mark: ColorMark }) {
  const label = colorMarks[mark]
  const fetcher = useFetcher<Answer>()
  const isSet = fetcher.formData ? fetcher.formData.has('on') : color[mark]
  return (
    <fetcher.Form method="post" className="cluster">
      <HiddenFields intent="mark" id={color.id} mark={mark} />
      <label className={`check ${cardCss.markLabel}`} data-warns={isSet === (mark === 'isLowOnStock') || undefined}>
        <input
          type="checkbox"
          name="on"
          aria-label={`${label} (${colorName(color)})`}
          checked={isSet}
          // At once: a box that waits for its turn jumps back for a moment.
          onChange={(event) => void fetcher.submit(event.currentTarget.form, { flushSync: true })}
        />
        {label}
      </label>
      <noscript>
        <button className="button quiet">Save</button>
      </noscript>
    </fetcher.Form>
  )
}

function ChangeForm({ color, dialogId }: { color: Color; dialogId: string }) {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const { data, state } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // The dialog belongs to the browser; a file field keeps its file until the document's form is reset.
  useEffect(() => {
    if (!data?.ok) return
    form.current?.reset()
    if (form.current) dialogAround(form.current)?.close()
  }, [data])
  // Whoever gives up finds the stored name the next time, and no refusal of an earlier try.
  const giveUp = useEffectEvent(() => {
    form.current?.reset()
    fetcher.reset()
  })
  useEffect(() => {
    const dialog = form.current && dialogAround(form.current)
    dialog?.addEventListener('close', giveUp)
    return () => dialog?.removeEventListener('close', giveUp)
  }, [])
  return (
    <fetcher.Form ref={form} method="post" encType="multipart/form-data">
      <HiddenFields intent="change" id={color.id} was={color.name} />
      {/* What another window has saved meanwhile is taken over. */}
      <Field label="Name" name="name" error={error('name')} key={color.name}>
        {(tied) => <input {...tied} defaultValue={colorName(color)} maxLength={LONGEST_NAME} autoComplete="off" />}
      </Field>
      <div className="field">
        <PictureField label="Another image" error={error('file')} />
      </div>
      <Choices>
        <button className="button" aria-disabled={state !== 'idle'}>
          {state === 'idle' ? 'Save' : 'Saving…'}
        </button>
        <CloseButton dialogId={dialogId}>Cancel</CloseButton>
      </Choices>
    </fetcher.Form>
  )
}

function Uses({ uses }: { uses: ColorUses }) {
  if (uses.count === 0) return <p>No piece uses it.</p>
  const more = uses.count - uses.first.length
  return (
    <>
      <p>{`Used by ${uses.count === 1 ? '1 piece' : `${uses.count} pieces`}. Their pages will no longer show it:`}</p>
      <ul role="list">
        {uses.first.map((use) => (
          <li key={use.id}>
            <Link className="tap" to={href('/manage/item/:itemid?', { itemid: use.id })}>
              {use.name}
            </Link>
          </li>
        ))}
        {more > 0 && <li>{`and ${more} more`}</li>}
      </ul>
    </>
  )
}
