import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { Field, InputField } from '#ui/form-fields.tsx'
import { MoveForm, useReordering } from '#ui/reordering.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import { parseThemeColor, validateTitle } from './category.ts'
import {
  type ChangeEvent,
  type FormEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { ChevronDown } from '#ui/icons.tsx'
import { SubmissionUnsent } from '#ui/action-result.ts'
import { useHydrated } from '#ui/redirect-field.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { ImageField } from '#images/image-field.tsx'
import type { EditedCategory as Category } from './edit-categories.server.ts'
import css from './edit-categories-page.module.css'
import rowCss from './category-row.module.css'
import {
  categoriesTexts as texts,
  categoryFormTexts as formTexts,
  categoryImageTexts,
  newCategoryTexts,
} from './texts.ts'

export function EditCategoriesPage({ categories }: { categories: Category[] }) {
  const list = useReordering(categories)
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      <SortableList
        className={`grid gap-4 list-none ${css.list}`}
        items={list.entries.map((category) => ({ ...category, name: category.title }))}
        label={texts.order}
        onMove={list.move}
        render={(category, handle) => (
          <CategoryRow
            category={category}
            handle={handle}
          >
            <MoveForm
              list={list}
              id={category.id}
              name={category.title}
            />
            <Visibility category={category} />
          </CategoryRow>
        )}
      >
        <NewRow />
      </SortableList>
    </main>
  )
}

function Visibility({ category: { id, title, isHidden } }: { category: Category }) {
  const form = useActionForm()
  const label = isHidden ? texts.show : texts.hide
  return (
    <ActionForm
      form={form}
      fields={{ intent: isHidden ? 'show' : 'hide', id }}
    >
      <SubmitButton
        className="button quiet"
        aria-label={texts.ofCategory(label, title)}
      >
        {label}
      </SubmitButton>
    </ActionForm>
  )
}

const NewRow = () => (
  <li
    className={`card ${css.new}`}
    aria-label={newCategoryTexts.row}
  >
    <fieldset
      className={`row m-0 min-w-0 ${css.newFields}`}
      disabled
      aria-describedby="no-new-categories"
    >
      <div className={`min-w-0 ${css.newTitle}`}>
        <label htmlFor="new-title">{formTexts.title}</label>
        <input
          className="input"
          id="new-title"
        />
      </div>
      <div>
        <label htmlFor="new-color">{formTexts.themeColor}</label>
        <input
          className={css.newColor}
          id="new-color"
          type="color"
          defaultValue="#cbbcaa"
        />
      </div>
      <button
        className="button"
        type="button"
      >
        {newCategoryTexts.add}
      </button>
    </fieldset>
    <p
      className="text-soft"
      id="no-new-categories"
    >
      {newCategoryTexts.impossible}
    </p>
  </li>
)

type CategoryRowProps = { category: Category; handle: ReactNode; children: ReactNode }

function CategoryRow({ category, handle, children }: CategoryRowProps) {
  const title = useDraft(category.title)
  const color = useDraft(category.color)
  const tint = parseThemeColor(color.value) ?? category.color
  return (
    <div
      className={`card ${rowCss.row}`}
      style={{ '--tint': tint }}
    >
      <div className={`flex items-center gap-3 min-w-0 ${rowCss.banner}`}>
        {handle}
        <div
          className={`min-w-0 ${rowCss.title}`}
          data-unseen={!category.isShown || undefined}
        >
          <h2 className="line-clamp-2 m-0">{title.value.trim() || category.title}</h2>
          {!category.isShown && (
            <span className={`text-sm ${rowCss.unseen}`}>
              {category.isHidden ? texts.isHidden : texts.isEmpty}
            </span>
          )}
        </div>
        {category.image && (
          <ResponsiveImage
            className={`photo ${rowCss.image}`}
            image={category.image}
            alt=""
            sizes="4rem"
          />
        )}
      </div>
      <details className={`fold relative ${rowCss.details}`}>
        <summary
          className={`rounded-full ${rowCss.summary}`}
          aria-label={texts.editCategory(category.title)}
        >
          {texts.edit}
          <ChevronDown size={18} />
        </summary>
        <div className={`grid gap-4 ${rowCss.body}`}>
          {!category.isShown && (
            <p className={`m-0 ${rowCss.unseen}`}>
              {category.isHidden ? texts.hidden : texts.empty}
            </p>
          )}
          <CategoryForm
            category={category}
            title={title}
            color={color}
          />
          <div
            className={`grid gap-4 ${rowCss.samples}`}
            aria-hidden
          >
            {(['dark', 'light'] as const).map((theme) => (
              <div
                key={theme}
                className={`min-w-0 ${rowCss.sample}`}
                data-theme={theme}
              >
                <b className="line-clamp-2">{title.value.trim() || category.title}</b>
                <span>{texts.sample[theme]}</span>
              </div>
            ))}
          </div>
          <ImageForm category={category} />
          {children}
        </div>
      </details>
    </div>
  )
}

function ImageForm({ category }: { category: Category }) {
  const form = useActionForm()
  const label = category.image ? categoryImageTexts.change : categoryImageTexts.add
  return (
    <ActionForm
      form={form}
      encType="multipart/form-data"
      className={`grid gap-4 min-w-0 ${rowCss.imageForm}`}
      fields={{ intent: 'image', id: category.id }}
    >
      <div inert={form.isPending}>
        <ImageField label={categoryImageTexts.image} />
      </div>
      <SubmitButton
        className="button quiet"
        aria-label={categoryImageTexts.ofCategory(label, category.title)}
      >
        {form.isPending ? categoryImageTexts.uploading : label}
      </SubmitButton>
    </ActionForm>
  )
}

type CategoryFormProps = { category: Category; title: Draft; color: Draft }

function CategoryForm({ category, title, color }: CategoryFormProps) {
  const hasScript = useHydrated()
  const form = useActionForm()
  const { answer, isPending } = form
  const element = useRef<HTMLFormElement>(null)
  const submitted = useRef({ title: '', color: '' })
  const isDirty = title.isDirty || color.isDirty
  const titleError = title.isDirty ? validateTitle(title.value) : null
  const colorError = color.isDirty && !parseThemeColor(color.value) ? formTexts.noColor : null
  const isReady = isDirty && !titleError && !colorError

  // The fields keep what was typed if the form did not reach the shop, and after a failed save
  // while the focus is in the form. Otherwise they show the stored values. [CATEGORY-12, S-476]
  useEffect(() => {
    if (isPending || !answer || answer.field || answer instanceof SubmissionUnsent) return
    if (!answer.ok && element.current?.contains(document.activeElement)) return
    if (title.value === submitted.current.title) title.forget()
    if (color.value === submitted.current.color) color.forget()
    // oxlint-disable-next-line exhaustive-deps -- runs once for each answer, and not for each character that the owner types afterwards
  }, [answer, isPending])

  const send = (event: FormEvent) => {
    const { current } = submitted
    const isOnItsWay = isPending && current.title === title.value && current.color === color.value
    if (!isReady || isOnItsWay) event.preventDefault()
    else submitted.current = { title: title.value, color: color.value }
  }

  return (
    <ActionForm
      form={form}
      ref={element}
      className={`row min-w-0 ${rowCss.form}`}
      fields={{ intent: 'save', id: category.id, wasTitle: title.was, wasColor: color.was }}
      onSubmit={send}
      onBlur={() => isReady && element.current?.requestSubmit()}
    >
      <InputField
        id={`title-${category.id}`}
        label={formTexts.title}
        name="title"
        className={`min-w-0 ${rowCss.categoryFormTitle}`}
        error={titleError ?? undefined}
        value={title.value}
        onChange={(event) => title.type(event.currentTarget.value)}
      />
      <ColorField
        category={category}
        color={color}
        error={colorError ?? undefined}
      />
      <div className={`flex items-center text-soft ${rowCss.state}`}>
        {hasScript && !isDirty ? (
          <span role="status">{isPending ? formTexts.saving : answer?.ok && formTexts.saved}</span>
        ) : (
          <button
            className="button"
            aria-disabled={titleError || colorError ? true : undefined}
            aria-label={formTexts.saveCategory(category.title)}
          >
            {isPending ? formTexts.saving : formTexts.save}
          </button>
        )}
      </div>
      <p
        className={`text-sm m-0 ${rowCss.elsewhere}`}
        role="status"
      >
        {title.isElsewhere && formTexts.savedElsewhere(category.title)}
      </p>
    </ActionForm>
  )
}

type ColorFieldProps = { category: Category; color: Draft; error: string | undefined }

function ColorField({ category, color, error }: ColorFieldProps) {
  const hasScript = useHydrated()
  const picker = useRef<HTMLInputElement>(null)
  // React calls `onChange` for each change inside the browser's color dialog; the native `change`
  // comes only when the dialog closes.
  useEffect(() => {
    const field = picker.current
    const save = () => field?.form?.requestSubmit()
    field?.addEventListener('change', save)
    return () => field?.removeEventListener('change', save)
  }, [])
  const onChange = (event: ChangeEvent<HTMLInputElement>) => color.type(event.currentTarget.value)
  return (
    <Field
      label={formTexts.themeColor}
      name="color"
      className={`min-w-0 ${rowCss.color}`}
      error={error}
    >
      {(tied) => (
        <span className={rowCss.colors}>
          <input
            className={`flex-none ${rowCss.picker}`}
            ref={picker}
            type="color"
            name={hasScript ? undefined : 'picked'}
            aria-label={formTexts.pickThemeColor(category.title)}
            value={parseThemeColor(color.value) ?? category.color}
            onChange={onChange}
          />
          <input
            {...tied}
            value={color.value}
            spellCheck={false}
            autoComplete="off"
            onChange={onChange}
          />
        </span>
      )}
    </Field>
  )
}

type Draft = ReturnType<typeof useDraft>

function useDraft(stored: string) {
  const [typed, setTyped] = useState<{ value: string; was: string } | null>(null)
  const isDirty = typed !== null && typed.value !== stored
  const was = isDirty ? typed.was : stored
  return {
    value: typed?.value ?? stored,
    was,
    isDirty,
    /** True if another window has saved a different value since the owner began to edit. */
    isElsewhere: was !== stored,
    type: (value: string) => setTyped({ value, was }),
    forget: () => setTyped(null),
  }
}
