/** The item form (MERCH-11 to MERCH-36). */
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useHasScript } from '#app/ui/back-field.tsx'
import type { Category, Color } from '#app/features/catalog/catalog.ts'
import { EditImages } from './edit-images.tsx'
import { differences } from './item-differences.ts'
import { REQUIRED_HINT, type EditedItem, type ItemRefused } from './item-input.ts'
import { ConflictNote, DraftNote, GoneNote, NewerNote, NoCategoriesNote } from './item-notes.tsx'
import { ItemTextFields } from './item-text-fields.tsx'
import { LeavePrompt } from './leave-prompt.tsx'
import { useItemForm } from './use-item-form.ts'
import { newItem, useItemSaving, useItemSending } from './use-item-saving.ts'
import { useKeyboardInset } from './use-keyboard-inset.ts'
import css from './edit-item-form.module.css'

type Props = {
  categories: Category[]
  colors: Color[]
  /** null: a new one, or one that is gone */
  item: EditedItem | null
  /** of the address; null for a new one */
  itemId: string | null
  /** what a form sent without script was answered */
  refused: ItemRefused | undefined
  /** by the button beside the form: there is nothing left to keep */
  isDeleted: boolean
  /** a new item was added: the form begins anew */
  onAdded: () => void
}

export function EditItemForm({ categories, colors, item, itemId, refused, isDeleted, onAdded }: Props) {
  const sending = useItemSending()
  const { isBusy } = sending
  const opened = useItemForm({ draftId: itemId ?? 'new', item, refused, isBusy })
  const { form, base, first, editor, draft, isBack, hasNewer, setCategoryId, isChanged, note, show } = opened
  const saving = useItemSaving({ opened, sending, item, refused, onAdded })
  const { shown, conflict, isGone } = saving
  const location = useLocation()
  const hasScript = useHasScript()
  const bar = useKeyboardInset()
  // The browser's database is outside React.
  useEffect(() => {
    if (isDeleted) draft.drop()
  }, [isDeleted, draft])

  /** Of what came by the answer and what came by itself the newer one. */
  const newest = () => (conflict && conflict.revision > (item?.revision ?? 0) ? conflict : item)
  function take(stored: EditedItem | null) {
    editor.discard()
    saving.dismiss()
    show(stored)
  }
  return (
    <sending.fetcher.Form
      ref={form}
      method="post"
      action={item ? location.pathname : newItem}
      encType="multipart/form-data"
      onSubmit={(event) => void saving.save(event)}
      onInput={note}
      onChange={({ target }) => target instanceof HTMLSelectElement && target.name === 'categoryId' && setCategoryId(target.value)}
      noValidate
    >
      {/* Enter presses the first button of a form: never one of the choices below. */}
      {conflict && <button className="unseen" name="intent" value="save" tabIndex={-1} aria-hidden="true" />}
      {base.revision !== null && <input type="hidden" name="revision" value={base.revision} autoComplete="off" />}
      {!hasScript && <input type="hidden" name="back" value={(item ? location.pathname : newItem) + location.search} />}
      {(isGone || (itemId !== null && !item)) && !isDeleted && <GoneNote hadItem={isGone || refused?.isGone === true} />}
      {categories.length === 0 && <NoCategoriesNote />}
      {conflict ? (
        <ConflictNote
          differences={differences(saving.yours, conflict, categories)}
          revision={conflict.revision}
          onTake={() => take(newest())}
        />
      ) : isBack ? (
        <DraftNote isOutdated={base.item !== null && base.revision !== item?.revision} onDiscard={() => take(item)} />
      ) : (
        hasNewer && !isBusy && <NewerNote onTake={() => take(item)} />
      )}
      {shown && 'filesLost' in shown && shown.filesLost && !hasScript && <p>Your files were not taken; please choose them again below.</p>}
      <p className="soft">{REQUIRED_HINT}</p>
      <div inert={isBusy}>
        <ItemTextFields categories={categories} values={first} error={saving.error} />
      </div>
      {/* While images are still on their way more may come; once the item itself goes out, none would go along. */}
      <div inert={sending.fetcher.state !== 'idle'}>
        <EditImages editor={editor} colors={colors} error={saving.error('images')} />
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
    </sending.fetcher.Form>
  )
}
