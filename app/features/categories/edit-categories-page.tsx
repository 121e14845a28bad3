import { useFetcher } from 'react-router'
import { ConfirmForm, HiddenFields, Field } from '#app/ui/form-fields.tsx'
import { moveItem, SortableList } from '#app/ui/sortable-list.tsx'
import { completeSequence, sequenceFromForm } from '#app/ui/list-order.ts'
import { parseThemeColor, validateTitle } from './category.ts'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ChevronDown } from '#app/ui/icons.tsx'
import { SubmissionUnsent, type ActionResult } from '#app/ui/action-result.ts'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { PictureField } from '#app/features/images/image-field.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
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
  const ordering = useFetcher()
  const present = categories.map(({ id }) => id)
  // While the shop saves a new sort order of the categories, the page already shows it. Afterwards the page shows the stored sort order. [S-104]
  const order = completeSequence(present, sequenceFromForm(ordering.formData, present))
  const shown = order.map((id) => categories.find((category) => category.id === id)!)
  const save = (order: string[]) => {
    const form = new FormData()
    form.set('intent', 'order')
    for (const id of order) form.append('order', id)
    void ordering.submit(form, { method: 'post' })
  }
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      <SortableList
        className={`stack bare-list ${css.list}`}
        items={shown.map((category) => ({ ...category, name: category.title }))}
        label={texts.order}
        onMove={(from, to) => save(moveItem(order, from, to))}
        render={(category, handle, index) => (
          <CategoryRow
            category={category}
            handle={handle}
          >
            <ordering.Form
              method="post"
              className="cluster"
            >
              <HiddenFields
                intent="move"
                id={category.id}
              />
              <MoveButton
                by="up"
                title={category.title}
                isEnd={index === 0}
              />
              <MoveButton
                by="down"
                title={category.title}
                isEnd={index === shown.length - 1}
              />
            </ordering.Form>
            <Visibility category={category} />
          </CategoryRow>
        )}
      >
        <NewRow />
      </SortableList>
    </main>
  )
}

function Visibility({ category: { id, title, isHidden, itemCount } }: { category: Category }) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  const label = isHidden ? texts.show : texts.hide
  return (
    <div className="cluster">
      <fetcher.Form method="post">
        <HiddenFields
          intent={isHidden ? 'show' : 'hide'}
          id={id}
        />
        <button
          className="button quiet"
          aria-disabled={isPending}
          aria-label={texts.ofCategory(label, title)}
        >
          {label}
        </button>
      </fetcher.Form>
      {itemCount === 0 && (
        <ConfirmForm
          form={fetcher.Form}
          fields={{ intent: 'remove', id }}
          label={texts.remove}
          ariaLabel={texts.ofCategory(texts.remove, title)}
          question={texts.removeQuestion(title, id)}
          isPending={isPending}
        />
      )}
    </div>
  )
}

/** Moves a category up or down, for owners who cannot drag. The button works by keyboard, by a single tap and without JavaScript. */
function MoveButton({ by, title, isEnd }: { by: 'up' | 'down'; title: string; isEnd: boolean }) {
  return (
    <button
      className="button quiet"
      name="by"
      value={by}
      aria-disabled={isEnd || undefined}
      aria-label={`${texts.move[by]}: ${title}`}
    >
      {texts.move[by]}
    </button>
  )
}

function NewRow() {
  return (
    <li
      className={`card ${css.new}`}
      aria-label={newCategoryTexts.row}
    >
      <fieldset
        className={`cluster flush slim ${css.newFields}`}
        disabled
        aria-describedby="no-new-categories"
      >
        <div className={`slim ${css.newTitle}`}>
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
        className="soft"
        id="no-new-categories"
      >
        {newCategoryTexts.impossible}
      </p>
    </li>
  )
}

function CategoryRow({
  category,
  handle,
  children,
}: {
  category: Category
  handle: ReactNode
  children: ReactNode
}) {
  const title = useDraft(category.title)
  const color = useDraft(category.color)
  const tint = parseThemeColor(color.value) ?? category.color
  return (
    <div
      className={`card ${rowCss.row}`}
      style={{ '--tint': tint }}
    >
      <div className={`row slim ${rowCss.banner}`}>
        {handle}
        {/* All rows have the same height, so that the owner can drag a row past another row. */}
        <div
          className={`slim ${rowCss.title}`}
          data-unseen={!category.isShown || undefined}
        >
          <h2 className="two-lines flush">{title.value.trim() || category.title}</h2>
          {!category.isShown && (
            <span className={`small ${rowCss.unseen}`}>
              {category.isHidden ? texts.isHidden : texts.isEmpty}
            </span>
          )}
        </div>
        {category.picture && (
          <Picture
            className={`photo ${rowCss.picture}`}
            picture={category.picture}
            alt=""
            sizes="4rem"
          />
        )}
      </div>
      <details className={`fold anchor ${rowCss.details}`}>
        <summary
          className={`round ${rowCss.summary}`}
          aria-label={texts.editCategory(category.title)}
        >
          {texts.edit}
          <ChevronDown
            aria-hidden
            size={18}
          />
        </summary>
        <div className={`stack ${rowCss.body}`}>
          {!category.isShown && (
            <p className={`flush ${rowCss.unseen}`}>
              {category.isHidden ? texts.hidden : texts.empty}
            </p>
          )}
          <CategoryForm
            category={category}
            title={title}
            color={color}
          />
          <div
            className={`stack ${rowCss.samples}`}
            aria-hidden
          >
            {(['dark', 'light'] as const).map((theme) => (
              <div
                key={theme}
                className={`slim ${rowCss.sample}`}
                data-theme={theme}
              >
                <b className="two-lines">{title.value.trim() || category.title}</b>
                <span>{texts.sample[theme]}</span>
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

function PictureForm({ category }: { category: Category }) {
  const fetcher = useFetcher<ActionResult>()
  const form = useRef<HTMLFormElement>(null)
  const isBusy = fetcher.state !== 'idle'
  const { data } = fetcher
  const label = category.picture ? categoryImageTexts.change : categoryImageTexts.add
  useActionToasts(data)
  // The form is reset after a successful upload. Otherwise the file field would still contain the file.
  useEffect(() => {
    if (data?.ok) form.current?.reset()
  }, [data])
  return (
    <fetcher.Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      className={`stack slim ${rowCss.pictureForm}`}
    >
      <HiddenFields id={category.id} />
      <div inert={fetcher.state === 'submitting'}>
        <PictureField
          label={categoryImageTexts.image}
          error={data?.error}
        />
      </div>
      <button
        className="button quiet"
        name="intent"
        value="picture"
        aria-disabled={isBusy}
        aria-label={categoryImageTexts.ofCategory(label, category.title)}
      >
        {isBusy ? categoryImageTexts.uploading : label}
      </button>
    </fetcher.Form>
  )
}

function CategoryForm({
  category,
  title,
  color,
}: {
  category: Category
  title: Draft
  color: Draft
}) {
  const hasScript = useHydrated()
  const saving = useFetcher<ActionResult>()
  const form = useRef<HTMLFormElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const sent = useRef({ title: '', color: '' })
  const { data, state } = saving
  useActionToasts(data)
  const isDirty = title.isDirty || color.isDirty
  const titleError = title.isDirty ? validateTitle(title.value) : null
  const colorError = color.isDirty && !parseThemeColor(color.value) ? formTexts.noColor : null
  const isReady = isDirty && !titleError && !colorError
  const errorOf = (field: string) => (data?.field === field ? data.error : undefined)

  // After a save, the fields show the stored values. The fields keep the typed values if the form did not reach the shop, and after a failed save while the focus is in the form. [CATEGORY-12, S-476]
  useEffect(() => {
    if (state !== 'idle' || !data || data.field || data instanceof SubmissionUnsent) return
    if (!data.ok && form.current?.contains(document.activeElement)) return
    if (title.value === sent.current.title) title.forget()
    if (color.value === sent.current.color) color.forget()
    // oxlint-disable-next-line exhaustive-deps -- runs once for each answer, and not for each character that the owner types afterwards
  }, [data, state])

  const send = (event: FormEvent) => {
    const isOnItsWay =
      state !== 'idle' && sent.current.title === title.value && sent.current.color === color.value
    if (!isReady || isOnItsWay) event.preventDefault()
    else sent.current = { title: title.value, color: color.value }
  }
  const save = () => form.current?.requestSubmit()
  // React's `onChange` is called for each change in the color dialog of the browser. The native event `change` is sent only when the dialog is closed.
  useEffect(() => {
    const field = picker.current
    field?.addEventListener('change', save)
    return () => field?.removeEventListener('change', save)
  }, [])

  return (
    <saving.Form
      ref={form}
      method="post"
      className={`cluster slim ${rowCss.form}`}
      onSubmit={send}
      // When the focus leaves a field, the changes are saved. Nothing is sent if the values are unchanged or invalid.
      onBlur={() => isReady && save()}
    >
      <HiddenFields
        intent="save"
        id={category.id}
        wasTitle={title.was}
        wasColor={color.was}
      />
      <Field
        id={`title-${category.id}`}
        label={formTexts.title}
        name="title"
        className={`slim ${rowCss.categoryFormTitle}`}
        error={titleError ?? errorOf('title')}
      >
        {(tied) => (
          <input
            {...tied}
            value={title.value}
            onChange={(event) => title.type(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        label={formTexts.themeColor}
        name="color"
        className={`slim ${rowCss.color}`}
        error={colorError ?? errorOf('color')}
      >
        {(tied) => (
          <span className={rowCss.colors}>
            <input
              className={`rigid ${rowCss.picker}`}
              ref={picker}
              type="color"
              name={hasScript ? undefined : 'picked'}
              aria-label={formTexts.pickThemeColor(category.title)}
              value={parseThemeColor(color.value) ?? category.color}
              onChange={(event) => color.type(event.currentTarget.value)}
            />
            <input
              {...tied}
              value={color.value}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => color.type(event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
      <div className={`aligned soft ${rowCss.state}`}>
        {hasScript && !isDirty ? (
          <span role="status">
            {state !== 'idle' ? formTexts.saving : data?.ok ? formTexts.saved : ''}
          </span>
        ) : (
          <button
            className="button"
            aria-disabled={titleError || colorError ? true : undefined}
            aria-label={formTexts.saveCategory(category.title)}
          >
            {state === 'idle' ? formTexts.save : formTexts.saving}
          </button>
        )}
      </div>
      <p
        className={`small flush ${rowCss.elsewhere}`}
        role="status"
      >
        {title.isElsewhere && formTexts.savedElsewhere(category.title)}
      </p>
    </saving.Form>
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
    /** True if another browser window has saved a different value since the owner began to edit this field. */
    isElsewhere: was !== stored,
    type: (value: string) => setTyped({ value, was }),
    forget: () => setTyped(null),
  }
}
