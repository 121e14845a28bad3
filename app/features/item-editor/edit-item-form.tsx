import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useHasScript } from '#app/ui/back-field.tsx'
import { Field } from '#app/ui/form-fields.tsx'
import type { Category, Color } from '#app/features/catalog/catalog.ts'
import { EditImages } from './edit-images.tsx'
import {
  differences,
  optionalFields,
  REQUIRED_HINT,
  type EditedItem,
  type ItemField,
  type ItemRefused,
  type TypedItem,
} from './item-input.ts'
import { ConflictNote, Note, LeavePrompt } from './item-notes.tsx'
import { newItem, useItemForm } from './use-item-form.ts'
import css from './edit-item-form.module.css'

export type ItemFormProps = {
  categories: Category[]
  colors: Color[]
  item: EditedItem | null
  /** of the address; null for a new one */
  itemId: string | null
  /** what a form sent without script was answered */
  refused: ItemRefused | undefined
}

type Props = ItemFormProps & {
  /** by the button beside the form: there is nothing left to keep */
  isDeleted: boolean
  onAdded: () => void
}

export function EditItemForm({ categories, colors, item, itemId, refused, isDeleted, onAdded }: Props) {
  const opened = useItemForm({ draftId: itemId ?? 'new', item, refused, onAdded })
  const { form, fetcher, base, editor, draft, isBusy, isGone, shown, conflict, isChanged, note, show, save } = opened
  const location = useLocation()
  const hasScript = useHasScript()
  const bar = useKeyboardInset()
  useEffect(() => {
    if (isDeleted) draft.drop()
  }, [isDeleted, draft])

  /** Of what came by the answer and what came by itself the newer one. */
  const newest = () => (conflict && conflict.revision > (item?.revision ?? 0) ? conflict : item)
  function take(stored: EditedItem | null) {
    editor.discard()
    show(stored)
  }
  const isOutdated = base.item !== null && base.revision !== item?.revision
  return (
    <fetcher.Form
      ref={form}
      method="post"
      action={item ? location.pathname : newItem}
      encType="multipart/form-data"
      onSubmit={(event) => void save(event)}
      onInput={note}
      onChange={({ target }) => target instanceof HTMLSelectElement && target.name === 'categoryId' && opened.setCategoryId(target.value)}
      noValidate
    >
      {/* Enter presses the first button of a form: never one of the choices below. */}
      {conflict && <button className="unseen" name="intent" value="save" tabIndex={-1} aria-hidden="true" />}
      {base.revision !== null && <input type="hidden" name="revision" value={base.revision} autoComplete="off" />}
      {!hasScript && <input type="hidden" name="back" value={(item ? location.pathname : newItem) + location.search} />}
      {(isGone || (itemId !== null && !item)) && !isDeleted && (
        <Note role="alert">
          {isGone || refused?.isGone === true
            ? 'This item was deleted meanwhile, and its images with it. What is typed here can still be saved as a new item, with images chosen anew.'
            : 'There is no such item any more. This form adds a new one.'}
        </Note>
      )}
      {/* Only until the shop is started again (S-163). */}
      {categories.length === 0 && (
        <Note>There are no categories yet, and every item needs one. The next start of the shop brings the first ones.</Note>
      )}
      {conflict ? (
        <ConflictNote
          differences={differences(opened.yours, conflict, categories)}
          revision={conflict.revision}
          onTake={() => take(newest())}
        />
      ) : opened.isBack ? (
        <Note role="status" act={{ label: 'Discard', onClick: () => take(item) }}>
          Your unsaved changes are back.
          {isOutdated && ' The item was changed since; before anything is overwritten you will be asked.'}
        </Note>
      ) : (
        opened.hasNewer &&
        !isBusy && (
          <Note role="status" act={{ label: 'Take the stored one', onClick: () => take(item) }}>
            This item was changed elsewhere meanwhile. Before anything is overwritten you will be asked.
          </Note>
        )
      )}
      {shown && 'filesLost' in shown && shown.filesLost && !hasScript && <p>Your files were not taken; please choose them again below.</p>}
      <p className="soft">{REQUIRED_HINT}</p>
      <div inert={isBusy}>
        <ItemTextFields categories={categories} values={opened.first} error={opened.error} />
      </div>
      {/* While images are still on their way more may come; once the item itself goes out, none would go along. */}
      <div inert={fetcher.state !== 'idle'}>
        <EditImages editor={editor} colors={colors} error={opened.error('images')} />
      </div>
      <div className={css.save} ref={bar}>
        {shown?.error && !shown.field && !conflict && (
          <p className="error" role="alert">
            {shown.error}
          </p>
        )}
        <button className="button" name="intent" value="save" aria-disabled={isBusy}>
          {isBusy ? 'Saving…' : isGone ? 'Save as a New Item' : item ? 'Update Item' : 'Add Item'}
        </button>
        <span className="soft" role="status">
          {editor.progress}
        </span>
      </div>
      <LeavePrompt
        isChanged={isChanged}
        canKeep={draft.canKeep}
        onLeave={(isKept) => {
          if (isKept) return draft.flush()
          editor.discard()
          draft.drop()
        }}
      />
    </fetcher.Form>
  )
}

/** Keeps what sticks to the lower edge above the keyboard on the screen, which covers the page without making it shorter. */
function useKeyboardInset() {
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const seen = window.visualViewport
    const place = () => {
      const covered = seen ? Math.max(0, window.innerHeight - seen.height - seen.offsetTop) : 0
      // Less is the bar of the browser, or a page that is zoomed in.
      bar.current?.style.setProperty('--keyboard', covered > 120 && seen?.scale === 1 ? `${Math.round(covered)}px` : '0px')
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
  values: TypedItem
  error: (field: ItemField) => string | undefined
}

/** In the order of their checks; those with * are required (S-099). */
function ItemTextFields({ categories, values, error }: FieldsProps) {
  const field = (name: keyof TypedItem, label: string, draw: (props: ComponentProps<'input'>) => ReactNode) => (
    <Field key={name} id={`item-${name}`} label={label} name={name} error={error(name)}>
      {/* Without script the page comes back at its beginning: the focus leads to what is wrong. */}
      {(tied) => draw({ ...tied, defaultValue: values[name], 'aria-required': label.endsWith('*'), autoFocus: error(name) !== undefined })}
    </Field>
  )
  return (
    <>
      {field('name', 'Name *', (props) => (
        <input {...props} autoComplete="off" autoCapitalize="sentences" enterKeyHint="next" />
      ))}
      <div className={css.two}>
        {field('categoryId', 'Category *', (props) => (
          <select {...(props as ComponentProps<'select'>)}>
            <option value="">Select a category</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.title}
              </option>
            ))}
          </select>
        ))}
        {field('price', 'Price *', (props) => (
          <input {...props} inputMode="decimal" autoComplete="off" enterKeyHint="next" />
        ))}
      </div>
      {field('description', 'Description *', (props) => (
        <textarea {...(props as ComponentProps<'textarea'>)} rows={5} />
      ))}
      <div className={css.three}>
        {optionalFields.map(({ name, label }) =>
          field(name, label, (props) => <input {...props} autoComplete="off" enterKeyHint="next" />),
        )}
      </div>
    </>
  )
}
