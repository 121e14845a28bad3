import { useEffect, useRef, useState, useEffectEvent } from 'react'
import { Link, href } from 'react-router'
import { Search } from '#ui/icons.tsx'
import { Plus, Pencil, Trash2 } from '#ui/owner-icons.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { InputField } from '#ui/form-fields.tsx'
import { type Color, colorName } from '#catalog/catalog.ts'
import { ImageField } from '#images/image-field.tsx'
import {
  ALL_COLORS,
  filterColors,
  MAX_COLOR_NAME_LENGTH,
  type ColorFilter,
  type ColorFlag,
  type ColorUses,
} from './color-fields.ts'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { DialogActions, CloseButton, DialogButton, closestDialog } from '#ui/dialog-button.tsx'
import { useCurrency } from '#pricing/currency-context.ts'
import { discountTag } from '#pricing/money.ts'
import css from './edit-colors-page.module.css'
import cardCss from './color-card.module.css'
import {
  colorFlagTexts,
  colorFormTexts as formTexts,
  colorsTexts as texts,
  deleteColorTexts as deleteTexts,
} from './texts.ts'

type EditColorsPageProps = { colors: Color[]; uses: ReadonlyMap<string, ColorUses> }

const MIN_COLORS_FOR_FILTER = 9

export function EditColorsPage({ colors, uses }: EditColorsPageProps) {
  const hasScript = useHydrated()
  const [filter, setFilter] = useState(ALL_COLORS)
  const matches = filterColors(colors, filter)
  const isNoMatch = matches.length === 0 && colors.length > 0
  const countText = filter === ALL_COLORS ? '' : texts.count(matches.length)
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
      {colors.length === 0 && <p className="text-soft">{texts.none}</p>}
      <p
        className={isNoMatch ? 'text-soft' : 'sr-only'}
        role="status"
      >
        {isNoMatch ? texts.noMatches : countText}
      </p>
      <ul
        className={`grid gap-4 ${css.grid}`}
        role="list"
      >
        {matches.map((color) => (
          <ColorCard
            key={color.id}
            color={color}
            uses={uses.get(color.id)}
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
      className={`grid gap-4 ${css.filter}`}
      role="search"
      aria-label={texts.filter}
    >
      <div className={`relative ${css.search}`}>
        <input
          className="input"
          type="search"
          aria-label={texts.find}
          placeholder={texts.find}
          value={filter.words}
          onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
        />
        <Search size={20} />
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
            {label} <span className="tabular-nums">{count}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

type AddColorProps = { isOpen: boolean; onAdded: () => void }

function AddColor({ isOpen, onAdded }: AddColorProps) {
  const form = useActionForm()
  const { answer, isPending } = form
  const name = useRef<HTMLInputElement>(null)
  const [added, setAdded] = useState('')
  const [opensFirst] = useState(isOpen)
  /** The fields still contain the typed values when the event `reset` is sent. */
  function onReset() {
    setAdded(name.current?.value.trim() ?? '')
    name.current?.focus()
    onAdded()
  }
  return (
    <details
      className={`card fold mb-5 ${css.add}`}
      open={opensFirst}
    >
      <summary className={css.summary}>
        <Plus size={20} />
        <h2 id="add-color">{formTexts.addColor}</h2>
      </summary>
      <ActionForm
        form={form}
        onReset={onReset}
        fields={{ intent: 'add' }}
        encType="multipart/form-data"
        className={`grid gap-4 ${css.form}`}
        aria-labelledby="add-color"
      >
        <InputField
          id="color-name"
          label={formTexts.name}
          name="name"
          ref={name}
          readOnly={isPending}
          maxLength={MAX_COLOR_NAME_LENGTH}
          autoComplete="off"
        />
        <div inert={isPending}>
          <ImageField label={formTexts.image} />
        </div>
        <p className={`row m-0 ${css.end}`}>
          <SubmitButton>{isPending ? formTexts.adding : formTexts.addColor}</SubmitButton>
          <span
            className="text-soft"
            role="status"
          >
            {!isPending && answer?.ok && added && formTexts.added(added)}
          </span>
        </p>
      </ActionForm>
    </details>
  )
}

function ColorCard({ color, uses }: { color: Color; uses: ColorUses | undefined }) {
  const currency = useCurrency()
  const deletion = useActionForm()
  const name = colorName(color)
  return (
    <li
      className={`card grid gap-4 ${cardCss.card}`}
      data-busy={deletion.isPending || undefined}
    >
      <ResponsiveImage
        className={`w-full ${cardCss.swatch}`}
        image={color.image}
        alt=""
        sizes="6rem"
      />
      <h2 className={`line-clamp-2 m-0 ${cardCss.name}`}>{name}</h2>
      <div className={cardCss.acts}>
        <DialogButton
          label={<Pencil size={20} />}
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
          form={deletion}
          fields={{ intent: 'delete', id: color.id }}
          label={<Trash2 size={20} />}
          className="icon-button"
          ariaLabel={deleteTexts.delete(name)}
          question={deleteTexts.question(name)}
        >
          {uses ? <ColorUsesList {...uses} /> : <p>{deleteTexts.unused}</p>}
          {color.discount && <p>{deleteTexts.discount(discountTag(color.discount, currency))}</p>}
        </ConfirmForm>
      </div>
      <div className={`row ${cardCss.marks}`}>
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

function FlagCheckbox({ color, mark }: { color: Color; mark: ColorFlag }) {
  const label = colorFlagTexts[mark]
  const form = useActionForm()
  const isSet = form.formData ? form.formData.has('on') : color[mark]
  return (
    <ActionForm
      form={form}
      fields={{ intent: 'mark', id: color.id, mark }}
      className="row"
    >
      <label
        className={`check ${cardCss.markLabel}`}
        data-warns={(isSet && mark === 'isLowOnStock') || undefined}
      >
        <input
          type="checkbox"
          name="on"
          aria-label={`${label} (${colorName(color)})`}
          checked={isSet}
          // Without `flushSync`, the checkbox would flash in its old state.
          onChange={(event) => void form.submit(event.currentTarget.form, { flushSync: true })}
        />
        {label}
      </label>
      <noscript>
        <button className="button quiet">{formTexts.save}</button>
      </noscript>
    </ActionForm>
  )
}

function ChangeForm({ color, dialogId }: { color: Color; dialogId: string }) {
  const form = useActionForm()
  const { answer, isPending } = form
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (answer?.ok && element.current) closestDialog(element.current)?.close()
  }, [answer])
  // A reset of the fetcher after a successful save would abort the loading of the new data.
  const giveUp = useEffectEvent(() => {
    element.current?.reset()
    if (!answer?.ok) form.reset()
  })
  useEffect(() => {
    const dialog = element.current && closestDialog(element.current)
    dialog?.addEventListener('close', giveUp)
    return () => dialog?.removeEventListener('close', giveUp)
  }, [])
  return (
    <ActionForm
      form={form}
      ref={element}
      fields={{ intent: 'change', id: color.id, was: color.name }}
      encType="multipart/form-data"
    >
      <InputField
        key={color.name}
        label={formTexts.name}
        name="name"
        defaultValue={colorName(color)}
        maxLength={MAX_COLOR_NAME_LENGTH}
        autoComplete="off"
      />
      <div className="field">
        <ImageField label={formTexts.anotherImage} />
      </div>
      <DialogActions>
        <SubmitButton>{isPending ? formTexts.saving : formTexts.save}</SubmitButton>
        <CloseButton dialogId={dialogId}>{formTexts.cancel}</CloseButton>
      </DialogActions>
    </ActionForm>
  )
}

const ColorUsesList = ({ count, first }: ColorUses) => (
  <>
    <p>{deleteTexts.used(count)}</p>
    <ul role="list">
      {first.map(({ id, name }) => (
        <li key={id}>
          <Link
            className="tap"
            to={href('/manage/item/:itemid?', { itemid: id })}
          >
            {name}
          </Link>
        </li>
      ))}
      {count > first.length && <li>{deleteTexts.more(count - first.length)}</li>}
    </ul>
  </>
)
