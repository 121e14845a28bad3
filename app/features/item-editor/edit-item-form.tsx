import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { priceTexts } from '#app/features/pricing/texts.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { Field } from '#app/ui/form-fields.tsx'
import type { Category, Color } from '#app/features/catalog/catalog.ts'
import { EditImages } from './edit-images.tsx'
import type { EditedItem, ItemField, ItemFormResult, ItemFormValues } from './item-form.ts'
import { differences, itemKinds, optionalFields } from './item-form.ts'
import { UnsavedChangesDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import { ConflictBanner, Note } from './item-notes.tsx'
import { newItemUrl, useItemForm } from './use-item-form.ts'
import css from './edit-item-form.module.css'
import { itemFieldTexts as fieldTexts, itemFormTexts as texts } from './texts.ts'

export type ItemFormProps = {
  categories: Category[]
  colors: Color[]
  item: EditedItem | null
  /** The id of the item in the URL; null for a new item. */
  itemId: string | null
  /** The answer to a form that was sent without JavaScript and refused; undefined if no form was refused. */
  refused: ItemFormResult | undefined
}

type Props = ItemFormProps & {
  /** True if the owner has deleted the item with the delete button beside the form. */
  isDeleted: boolean
  onAdded: () => void
}

export function EditItemForm({
  categories,
  colors,
  item,
  itemId,
  refused,
  isDeleted,
  onAdded,
}: Props) {
  const opened = useItemForm({ draftId: itemId ?? 'new', item, refused, onAdded })
  const {
    form,
    fetcher,
    base,
    editor,
    draft,
    isBusy,
    isGone,
    shown,
    conflict,
    isChanged,
    note,
    show,
    save,
  } = opened
  const currency = useCurrency()
  const location = useLocation()
  const hasScript = useHydrated()
  const bar = useKeyboardInset()
  useEffect(() => {
    if (isDeleted) draft.drop()
  }, [isDeleted, draft])

  /** Returns the newer version of the item: the version in the conflict, or the loaded version. */
  const newest = () => (conflict && conflict.revision > (item?.revision ?? 0) ? conflict : item)
  function take(stored: EditedItem | null) {
    editor.discard()
    show(stored)
  }
  const isDraft = item?.state === 'draft'
  const isOutdated = base.item !== null && base.revision !== item?.revision
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={item ? location.pathname : newItemUrl}
      encType="multipart/form-data"
      onSubmit={(event) => void save(event)}
      onInput={note}
      onChange={({ target }) =>
        target instanceof HTMLSelectElement &&
        target.name === 'categoryId' &&
        opened.setCategoryId(target.value)
      }
      noValidate
    >
      {/* The Enter key clicks the first button of a form. This hidden button saves the item. Without it, Enter would overwrite the conflicting version. */}
      {conflict && (
        <button
          className="visually-hidden"
          name="intent"
          value="save"
          tabIndex={-1}
          aria-hidden="true"
        />
      )}
      {base.revision !== null && (
        <input
          type="hidden"
          name="revision"
          value={base.revision}
          autoComplete="off"
        />
      )}
      {!hasScript && (
        <input
          type="hidden"
          name="back"
          value={(item ? location.pathname : newItemUrl) + location.search}
        />
      )}
      {(isGone || (itemId !== null && !item)) && !isDeleted && (
        <Note role="alert">
          {isGone || refused?.isGone === true ? texts.deletedMeanwhile : texts.noSuchItem}
        </Note>
      )}
      {/* Without a category, no item can be saved. The note says that the shop creates the default categories at its next start. [S-163] */}
      {categories.length === 0 && <Note>{texts.noCategories}</Note>}
      {conflict ? (
        <ConflictBanner
          differences={differences(opened.yours, conflict, categories, currency)}
          revision={conflict.revision}
          onTake={() => take(newest())}
        />
      ) : opened.isBack ? (
        <Note
          role="status"
          act={{ label: texts.discard, onClick: () => take(item) }}
        >
          {texts.draftRestored}
          {isOutdated && texts.draftOutdated}
        </Note>
      ) : (
        opened.hasNewer &&
        !isBusy && (
          <Note
            role="status"
            act={{ label: texts.useStored, onClick: () => take(item) }}
          >
            {texts.changedElsewhere}
          </Note>
        )
      )}
      {shown && 'filesLost' in shown && shown.filesLost && !hasScript && <p>{texts.filesLost}</p>}
      <p className="soft">
        {texts.requiredHint}
        {(isDraft || !item) && (
          <>
            <br />
            {texts.draftHint}
          </>
        )}
      </p>
      <div inert={isBusy}>
        <ItemTextFields
          categories={categories}
          values={opened.first}
          error={opened.error}
        />
      </div>
      {/* While the shop saves the item, the owner cannot edit these fields. */}
      <div inert={fetcher.state !== 'idle'}>
        <EditImages
          editor={editor}
          colors={colors}
          error={opened.error('images')}
        />
      </div>
      <div
        className={css.save}
        ref={bar}
      >
        {shown?.error && !shown.field && !conflict && (
          <p
            className="error"
            role="alert"
          >
            {shown.error}
          </p>
        )}
        <button
          className={isDraft ? 'button quiet' : 'button'}
          name="intent"
          value="save"
          aria-disabled={isBusy}
        >
          {isBusy
            ? texts.saving
            : isGone
              ? texts.saveAsNew
              : isDraft
                ? texts.saveDraft
                : item
                  ? texts.update
                  : texts.add}
        </button>
        {(isDraft || !item) && (
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
          className="soft"
          role="status"
        >
          {editor.progress}
        </span>
      </div>
      <UnsavedChangesDialog
        isChanged={isChanged}
        canKeep={draft.canKeep}
        onLeave={(hasDraft) => {
          if (hasDraft) return draft.flush()
          editor.discard()
          draft.drop()
        }}
      />
    </fetcher.Form>
  )
}

/** Keeps the save button above the on-screen keyboard, which covers a part of the page without resizing it. */
function useKeyboardInset() {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const seen = window.visualViewport
    const place = () => {
      const covered = seen ? Math.max(0, window.innerHeight - seen.height - seen.offsetTop) : 0
      // A keyboard covers more than 120 pixels. The browser's toolbar and a zoomed page are ignored.
      bar.current?.style.setProperty(
        '--keyboard',
        covered > 120 && seen?.scale === 1 ? `${Math.round(covered)}px` : '0px',
      )
    }
    seen?.addEventListener('resize', place)
    seen?.addEventListener('scroll', place)
    return () => {
      seen?.removeEventListener('resize', place)
      seen?.removeEventListener('scroll', place)
    }
  }, [])
  return bar
}

type FieldsProps = {
  categories: Category[]
  values: ItemFormValues
  error: (field: ItemField) => string | undefined
}

/** Shows the fields in the sequence in which the shop checks them. Labels of required fields end with *. [S-099] */
function ItemTextFields({ categories, values, error }: FieldsProps) {
  const field = (
    name: keyof ItemFormValues,
    label: string,
    draw: (props: ComponentProps<'input'>) => ReactNode,
  ) => (
    <Field
      key={name}
      id={`item-${name}`}
      label={label}
      name={name}
      error={error(name)}
      example={name === 'price' ? priceTexts.invalid : undefined}
    >
      {/* Without JavaScript the page starts at its top, so the focus moves to the error. */}
      {(tied) =>
        draw({
          ...tied,
          defaultValue: values[name],
          'aria-required': label.endsWith('*'),
          autoFocus: error(name) !== undefined,
        })
      }
    </Field>
  )
  return (
    <>
      {field('name', `${fieldTexts.name} *`, (props) => (
        <input
          {...props}
          autoComplete="off"
          autoCapitalize="sentences"
          enterKeyHint="next"
        />
      ))}
      <div className={css.two}>
        {field('categoryId', `${fieldTexts.categoryId} *`, (props) => (
          <select {...(props as ComponentProps<'select'>)}>
            <option value="">{texts.selectCategory}</option>
            {categories.map((category) => (
              <option
                key={category.id}
                value={category.id}
              >
                {category.title}
              </option>
            ))}
          </select>
        ))}
        {field('price', `${fieldTexts.price} *`, (props) => (
          <input
            {...props}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="next"
          />
        ))}
      </div>
      {field('description', `${fieldTexts.description} *`, (props) => (
        <textarea
          {...(props as ComponentProps<'textarea'>)}
          rows={5}
        />
      ))}
      <div className={css.three}>
        {optionalFields.map(({ name, label }) =>
          field(name, label, (props) => (
            <input
              {...props}
              autoComplete="off"
              enterKeyHint="next"
            />
          )),
        )}
      </div>
      {field('kind', fieldTexts.kind, (props) => (
        <select {...(props as ComponentProps<'select'>)}>
          {itemKinds.map((kind) => (
            <option
              key={kind}
              value={kind}
            >
              {texts.kinds[kind]}
            </option>
          ))}
        </select>
      ))}
    </>
  )
}
