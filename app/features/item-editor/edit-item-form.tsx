import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { priceTexts } from '#pricing/texts.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import { useHydrated } from '#ui/redirect-field.tsx'
import { InputField, SelectField, TextareaField } from '#ui/form-fields.tsx'
import type { Category, Color } from '#catalog/catalog.ts'
import { EditImages } from './edit-images.tsx'
import { differences, itemKinds, type EditedItem, type ItemFormValues } from './item-form.ts'
import { optionalItemTexts } from '#catalog/item-fields.ts'
import { UnsavedChangesDialog } from '#ui/unsaved-changes-dialog.tsx'
import { newItemUrl, useItemForm, type ItemFormOptions } from './use-item-form.ts'
import css from './edit-item-form.module.css'
import {
  itemConflictTexts as conflictTexts,
  itemFieldTexts as fieldTexts,
  itemFormTexts as texts,
} from './texts.ts'

type ItemForm = ReturnType<typeof useItemForm>

export type EditItemFormProps = ItemFormOptions & { categories: Category[]; colors: Color[] }

export function EditItemForm({ categories, colors, ...options }: EditItemFormProps) {
  const { item, itemId, refused, isDeleted } = options
  const itemForm = useItemForm(options)
  const { form, fetcher, base, isBusy, isGone, result, conflict, error, note, save } = itemForm
  const { pathname, search } = useLocation()
  const hasScript = useHydrated()
  const action = item ? pathname : newItemUrl
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={action}
      encType="multipart/form-data"
      onSubmit={(event) => void save(event)}
      onInput={note}
      noValidate
    >
      {/* Without this button, Enter would click the first one, which overwrites the other
          version. */}
      {conflict && (
        <button
          className="sr-only"
          name="intent"
          value="save"
          tabIndex={-1}
          aria-hidden="true"
        />
      )}
      <HiddenFields
        revision={base.revision}
        back={hasScript ? null : action + search}
      />
      {(isGone || (itemId !== null && !item)) && !isDeleted && (
        <Note role="alert">
          {isGone || refused?.isGone === true ? texts.deletedMeanwhile : texts.noSuchItem}
        </Note>
      )}
      {/* A restart of the shop creates the default categories. [S-163] */}
      {categories.length === 0 && <Note>{texts.noCategories}</Note>}
      <StoredItemNote
        itemForm={itemForm}
        categories={categories}
      />
      {result?.filesLost && !hasScript && <p>{texts.filesLost}</p>}
      <p className="text-soft">
        {texts.requiredHint}
        {mayBeDraft(item) && (
          <>
            <br />
            {texts.draftHint}
          </>
        )}
      </p>
      <div inert={isBusy}>
        <ItemTextFields
          categories={categories}
          values={itemForm.first}
          error={error}
        />
      </div>
      <div inert={fetcher.state !== 'idle'}>
        <EditImages
          editor={itemForm.editor}
          colors={colors}
          error={error('images')}
        />
      </div>
      <SaveBar
        itemForm={itemForm}
        item={item}
      />
      <UnsavedChangesDialog
        isChanged={itemForm.isChanged}
        canKeep={itemForm.draft.canKeep}
        onLeave={itemForm.leave}
      />
    </fetcher.Form>
  )
}

type HiddenFieldsProps = { revision: number | null; back: string | null }

const HiddenFields = ({ revision, back }: HiddenFieldsProps) => (
  <>
    {revision !== null && (
      <input
        type="hidden"
        name="revision"
        value={revision}
        autoComplete="off"
      />
    )}
    {back !== null && (
      <input
        type="hidden"
        name="back"
        value={back}
      />
    )}
  </>
)

const mayBeDraft = (item: EditedItem | null) => !item || item.state === 'draft'

type NoteProps = {
  children: ReactNode
  role?: 'status' | 'alert'
  act?: { label: string; onClick: () => void }
}

const Note = ({ children, role, act }: NoteProps) => (
  <div
    className="notice row"
    role={role}
  >
    <p className={css.text}>{children}</p>
    {act && (
      <button
        type="button"
        className="button quiet"
        onClick={act.onClick}
      >
        {act.label}
      </button>
    )}
  </div>
)

type StoredItemNoteProps = { itemForm: ItemForm; categories: Category[] }

function StoredItemNote({ itemForm, categories }: StoredItemNoteProps) {
  const { base, conflict, isBusy, isOutdated, submitted, takeStored } = itemForm
  const currency = useCurrency()
  if (conflict) {
    return (
      <ConflictBanner
        differences={differences(submitted, conflict, categories, currency)}
        revision={conflict.revision}
        onTake={takeStored}
      />
    )
  }
  if (base.isRestored) {
    return (
      <Note
        role="status"
        act={{ label: texts.discard, onClick: takeStored }}
      >
        {texts.draftRestored}
        {isOutdated && texts.draftOutdated}
      </Note>
    )
  }
  return base.hasNewer && !isBusy ? (
    <Note
      role="status"
      act={{ label: texts.useStored, onClick: takeStored }}
    >
      {texts.changedElsewhere}
    </Note>
  ) : null
}

type ConflictBannerProps = {
  differences: ReturnType<typeof differences>
  revision: number
  onTake: () => void
}

/**
 * Without JavaScript, the button sends the whole form again, and the link loads the stored item.
 */
function ConflictBanner({ differences, revision, onTake }: ConflictBannerProps) {
  const { pathname, search } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [revision])
  return (
    <section
      className={`notice ${css.conflict}`}
      aria-labelledby="item-conflict"
    >
      <h3
        id="item-conflict"
        ref={heading}
        tabIndex={-1}
      >
        {conflictTexts.title}
      </h3>
      <p>{conflictTexts.hint}</p>
      <dl>
        {differences.map(({ label, yours, stored }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="text-soft">{conflictTexts.yours}</span>
              {yours || '–'}
            </dd>
            <dd>
              <span className="text-soft">{conflictTexts.stored}</span>
              {stored || '–'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="row">
        <button
          className="button"
          name="keep"
          value={revision}
        >
          {conflictTexts.keepMine}
        </button>
        <Link
          className="button quiet"
          to={pathname + search}
          reloadDocument
          onClick={(event) => {
            event.preventDefault()
            onTake()
          }}
        >
          {conflictTexts.useStored}
        </Link>
      </div>
    </section>
  )
}

type ItemTextFieldsProps = Pick<ItemForm, 'error'> & {
  categories: Category[]
  values: ItemFormValues
}

function ItemTextFields({ categories, values, error }: ItemTextFieldsProps) {
  const field = (name: keyof ItemFormValues, isRequired = false) => ({
    id: `item-${name}`,
    name,
    label: isRequired ? `${fieldTexts[name]} *` : fieldTexts[name],
    error: error(name),
    defaultValue: values[name],
    'aria-required': isRequired,
    // Without JavaScript, the refused page would open at its top instead of at the error.
    autoFocus: error(name) !== undefined,
  })
  const input = (name: keyof ItemFormValues, isRequired = false) => ({
    ...field(name, isRequired),
    autoComplete: 'off',
    enterKeyHint: 'next' as const,
  })
  return (
    <>
      <InputField
        {...input('name', true)}
        autoCapitalize="sentences"
      />
      <div className={css.two}>
        <SelectField {...field('categoryId', true)}>
          <option value="">{texts.selectCategory}</option>
          {categories.map(({ id, title }) => (
            <option
              key={id}
              value={id}
            >
              {title}
            </option>
          ))}
        </SelectField>
        <InputField
          {...input('price', true)}
          example={priceTexts.invalid}
          inputMode="decimal"
        />
      </div>
      <TextareaField
        {...field('description', true)}
        rows={5}
      />
      <div className={css.three}>
        {optionalItemTexts.map((name) => (
          <InputField
            key={name}
            {...input(name)}
          />
        ))}
      </div>
      <SelectField {...field('kind')}>
        {itemKinds.map((kind) => (
          <option
            key={kind}
            value={kind}
          >
            {texts.kinds[kind]}
          </option>
        ))}
      </SelectField>
    </>
  )
}

function SaveBar({ itemForm, item }: { itemForm: ItemForm; item: EditedItem | null }) {
  const { conflict, editor, isBusy, result } = itemForm
  const bar = useKeyboardInset()
  const isDraft = item?.state === 'draft'
  return (
    <div
      className={css.save}
      ref={bar}
    >
      {result?.error && !result.field && !conflict && (
        <p
          className="error"
          role="alert"
        >
          {result.error}
        </p>
      )}
      <button
        className={isDraft ? 'button quiet' : 'button'}
        name="intent"
        value="save"
        aria-disabled={isBusy}
      >
        {saveLabel(itemForm, item)}
      </button>
      {mayBeDraft(item) && (
        <button
          className={isDraft ? 'button' : 'button quiet'}
          name="state"
          value={isDraft ? 'listed' : 'draft'}
          aria-disabled={isBusy}
        >
          {isDraft ? texts.publish : texts.saveAsDraft}
        </button>
      )}
      <span
        className="text-soft"
        role="status"
      >
        {editor.progress}
      </span>
    </div>
  )
}

function saveLabel({ isBusy, isGone }: ItemForm, item: EditedItem | null) {
  if (isBusy) return texts.saving
  if (isGone) return texts.saveAsNew
  if (item?.state === 'draft') return texts.saveDraft
  return item ? texts.update : texts.add
}

function useKeyboardInset() {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const viewport = window.visualViewport
    const place = () => {
      const covered = viewport ? window.innerHeight - viewport.height - viewport.offsetTop : 0
      // If fewer pixels are covered, a toolbar of the browser covers them.
      const isKeyboard = covered > 120 && viewport?.scale === 1
      bar.current?.style.setProperty('--keyboard', isKeyboard ? `${Math.round(covered)}px` : '0px')
    }
    viewport?.addEventListener('resize', place)
    viewport?.addEventListener('scroll', place)
    return () => {
      viewport?.removeEventListener('resize', place)
      viewport?.removeEventListener('scroll', place)
    }
  }, [])
  return bar
}
