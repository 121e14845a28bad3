import { useEffect, useRef, useState, useEffectEvent } from 'react'
import { useFetcher, Link, href } from 'react-router'
import { Plus, Pencil, Search, Trash2 } from '#app/ui/icons.tsx'
import { RedirectToField, useHydrated } from '#app/ui/redirect-field.tsx'
import { Field, ConfirmForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { type Color, colorName } from '#app/features/catalog/catalog.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { PictureField } from '#app/features/images/image-field.tsx'
import type { ColorFilter, ColorUses, ColorFlag } from './color-fields.ts'
import { ALL_COLORS, MAX_COLOR_NAME_LENGTH, NO_USES, filterColors } from './color-fields.ts'
import { Picture } from '#app/ui/picture.tsx'
import { DialogActions, CloseButton, DialogButton, closestDialog } from '#app/ui/dialog-button.tsx'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { discountTag } from '#app/features/pricing/money.ts'
import css from './edit-colors-page.module.css'
import cardCss from './color-card.module.css'
import {
  colorFlagTexts,
  colorFormTexts as formTexts,
  colorsTexts as texts,
  deleteColorTexts as deleteTexts,
} from './texts.ts'

type Props = { colors: Color[]; uses: ReadonlyMap<string, ColorUses> }

const MIN_COLORS_FOR_FILTER = 9

export function EditColorsPage({ colors, uses }: Props) {
  const hasScript = useHydrated()
  const [filter, setFilter] = useState(ALL_COLORS)
  const shown = filterColors(colors, filter)
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <AddColor
        isOpen={colors.length === 0}
        onAdded={() => setFilter(ALL_COLORS)}
      />
      {hasScript && colors.length >= MIN_COLORS_FOR_FILTER && (
        <ColorFilterForm
          colors={colors}
          filter={filter}
          onChange={setFilter}
        />
      )}
      {colors.length === 0 && <p className="soft">{texts.none}</p>}
      <p
        className={shown.length === 0 && colors.length > 0 ? 'soft' : 'visually-hidden'}
        role="status"
      >
        {shown.length === 0 && colors.length > 0
          ? texts.noMatches
          : filter === ALL_COLORS
            ? ''
            : texts.count(shown.length)}
      </p>
      <ul
        className={`stack ${css.grid}`}
        role="list"
      >
        {shown.map((color) => (
          <ColorCard
            key={color.id}
            color={color}
            uses={uses.get(color.id) ?? NO_USES}
          />
        ))}
      </ul>
    </main>
  )
}

type FilterProps = { colors: Color[]; filter: ColorFilter; onChange: (filter: ColorFilter) => void }

function ColorFilterForm({ colors, filter, onChange }: FilterProps) {
  const choices = [
    ['all', texts.all, colors.length],
    ['low', texts.lowStock, colors.filter(({ isLowOnStock }) => isLowOnStock).length],
    ['gone', texts.notAvailable, colors.filter(({ isAvailable }) => !isAvailable).length],
  ] as const
  return (
    <div
      className={`stack ${css.filter}`}
      role="search"
      aria-label={texts.filter}
    >
      <div className={`anchor ${css.search}`}>
        <input
          className="input"
          type="search"
          aria-label={texts.find}
          placeholder={texts.find}
          value={filter.words}
          onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
        />
        <Search
          size={20}
          aria-hidden
        />
      </div>
      <div
        className="choices"
        role="group"
        aria-label={texts.show}
      >
        {choices.map(([only, label, count]) => (
          <button
            key={only}
            type="button"
            aria-pressed={filter.only === only}
            onClick={() => onChange({ ...filter, only })}
          >
            {label} <span className="tabular">{count}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

function AddColor({ isOpen, onAdded }: { isOpen: boolean; onAdded: () => void }) {
  const fetcher = useFetcher<ActionResult>()
  const form = useRef<HTMLFormElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const [added, setAdded] = useState('')
  const [opensFirst] = useState(isOpen)
  const { data, state } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // The form is reset after a successful upload. Otherwise the file field would still contain the file.
  useEffect(() => {
    if (!data?.ok) return
    setAdded(name.current?.value.trim() ?? '')
    form.current?.reset()
    name.current?.focus()
    onAdded()
    // oxlint-disable-next-line exhaustive-deps -- runs once for each answer
  }, [data])
  const isBusy = state !== 'idle'
  return (
    <details
      className={`card fold gap-below ${css.add}`}
      open={opensFirst}
    >
      <summary className={css.summary}>
        <Plus
          size={20}
          aria-hidden
        />
        <h2 id="add-color">{formTexts.addColor}</h2>
      </summary>
      <fetcher.Form
        ref={form}
        method="post"
        encType="multipart/form-data"
        className={`stack ${css.form}`}
        aria-labelledby="add-color"
      >
        <RedirectToField />
        <Field
          label={formTexts.name}
          name="name"
          id="color-name"
          error={error('name')}
        >
          {(tied) => (
            <input
              {...tied}
              ref={name}
              readOnly={state === 'submitting'}
              maxLength={MAX_COLOR_NAME_LENGTH}
              autoComplete="off"
            />
          )}
        </Field>
        <div inert={state === 'submitting'}>
          <PictureField
            label={formTexts.image}
            error={error('file')}
          />
        </div>
        <p className={`cluster flush ${css.end}`}>
          <button
            className="button"
            name="intent"
            value="add"
            aria-disabled={isBusy}
          >
            {isBusy ? formTexts.adding : formTexts.addColor}
          </button>
          <span
            className="soft"
            role="status"
          >
            {!isBusy && data?.ok && added && formTexts.added(added)}
          </span>
        </p>
      </fetcher.Form>
    </details>
  )
}

function ColorCard({ color, uses }: { color: Color; uses: ColorUses }) {
  const currency = useCurrency()
  const deleting = useFetcher<ActionResult>()
  const name = colorName(color)
  return (
    <li
      className={`card stack ${cardCss.card}`}
      data-busy={deleting.state !== 'idle' || undefined}
    >
      {color.picture ? (
        <Picture
          className={`wide ${cardCss.swatch}`}
          picture={color.picture}
          alt=""
          sizes="6rem"
        />
      ) : (
        <div className={`wide ${cardCss.swatch}`} />
      )}
      <h2 className={`two-lines flush ${cardCss.name}`}>{name}</h2>
      <div className={cardCss.acts}>
        <DialogButton
          label={
            <Pencil
              size={20}
              aria-hidden
            />
          }
          className="icon-button"
          ariaLabel={formTexts.edit(name)}
          question={formTexts.editQuestion(name)}
        >
          {(dialogId) => (
            <ChangeForm
              color={color}
              dialogId={dialogId}
            />
          )}
        </DialogButton>
        <ConfirmForm
          form={deleting.Form}
          fields={{ intent: 'delete', id: color.id }}
          label={
            <Trash2
              size={20}
              aria-hidden
            />
          }
          className="icon-button"
          ariaLabel={deleteTexts.delete(name)}
          question={deleteTexts.question(name)}
        >
          <ColorUsesList uses={uses} />
          {color.discount && <p>{deleteTexts.discount(discountTag(color.discount, currency))}</p>}
        </ConfirmForm>
      </div>
      <div className={`cluster ${cardCss.marks}`}>
        <FlagCheckbox
          color={color}
          mark="isAvailable"
        />
        <FlagCheckbox
          color={color}
          mark="isLowOnStock"
        />
      </div>
    </li>
  )
}

/** While the shop saves the change, the checkbox shows the state that the owner chose. Afterwards the checkbox shows the stored state. [COLOR-07, COLOR-08, S-104] */
function FlagCheckbox({ color, mark }: { color: Color; mark: ColorFlag }) {
  const label = colorFlagTexts[mark]
  const fetcher = useFetcher<ActionResult>()
  const isSet = fetcher.formData ? fetcher.formData.has('on') : color[mark]
  return (
    <fetcher.Form
      method="post"
      className="cluster"
    >
      <HiddenFields
        intent="mark"
        id={color.id}
        mark={mark}
      />
      <label
        className={`check ${cardCss.markLabel}`}
        data-warns={(isSet && mark === 'isLowOnStock') || undefined}
      >
        <input
          type="checkbox"
          name="on"
          aria-label={`${label} (${colorName(color)})`}
          checked={isSet}
          // Without `flushSync`, React would draw the checkbox in its old state for a moment.
          onChange={(event) => void fetcher.submit(event.currentTarget.form, { flushSync: true })}
        />
        {label}
      </label>
      <noscript>
        <button className="button quiet">{formTexts.save}</button>
      </noscript>
    </fetcher.Form>
  )
}

function ChangeForm({ color, dialogId }: { color: Color; dialogId: string }) {
  const fetcher = useFetcher<ActionResult>()
  const form = useRef<HTMLFormElement>(null)
  const { data, state } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // The form is reset after a successful upload. Otherwise the file field would still contain the file.
  useEffect(() => {
    if (!data?.ok) return
    form.current?.reset()
    if (form.current) closestDialog(form.current)?.close()
  }, [data])
  // When the owner closes the dialog, the form shows the stored name of the color and no error. After a successful save, a reset of the fetcher would abort the loading of the new data.
  const giveUp = useEffectEvent(() => {
    form.current?.reset()
    if (!data?.ok) fetcher.reset()
  })
  useEffect(() => {
    const dialog = form.current && closestDialog(form.current)
    dialog?.addEventListener('close', giveUp)
    return () => dialog?.removeEventListener('close', giveUp)
  }, [])
  return (
    <fetcher.Form
      ref={form}
      method="post"
      encType="multipart/form-data"
    >
      <HiddenFields
        intent="change"
        id={color.id}
        was={color.name}
      />
      {/* When another browser window saves a new name of the color, the new `key` creates this field again with the new name. */}
      <Field
        label={formTexts.name}
        name="name"
        error={error('name')}
        key={color.name}
      >
        {(tied) => (
          <input
            {...tied}
            defaultValue={colorName(color)}
            maxLength={MAX_COLOR_NAME_LENGTH}
            autoComplete="off"
          />
        )}
      </Field>
      <div className="field">
        <PictureField
          label={formTexts.anotherImage}
          error={error('file')}
        />
      </div>
      <DialogActions>
        <button
          className="button"
          aria-disabled={state !== 'idle'}
        >
          {state === 'idle' ? formTexts.save : formTexts.saving}
        </button>
        <CloseButton dialogId={dialogId}>{formTexts.cancel}</CloseButton>
      </DialogActions>
    </fetcher.Form>
  )
}

function ColorUsesList({ uses }: { uses: ColorUses }) {
  if (uses.count === 0) return <p>{deleteTexts.unused}</p>
  const more = uses.count - uses.first.length
  return (
    <>
      <p>{deleteTexts.used(uses.count)}</p>
      <ul role="list">
        {uses.first.map((use) => (
          <li key={use.id}>
            <Link
              className="tap"
              to={href('/manage/item/:itemid?', { itemid: use.id })}
            >
              {use.name}
            </Link>
          </li>
        ))}
        {more > 0 && <li>{deleteTexts.more(more)}</li>}
      </ul>
    </>
  )
}
