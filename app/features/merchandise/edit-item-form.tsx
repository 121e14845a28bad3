/** The item form (MERCH-11 to MERCH-36). */
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Category, Color, Item } from '#app/features/catalog/catalog.ts'
import { EditImages } from './edit-images.tsx'
import { ItemTextFields } from './item-text-fields.tsx'
import { readTypedItem, refuseItem, REQUIRED_HINT, type ItemField, type ItemRefused } from './item-input.ts'
import { useItemImages } from './use-item-images.ts'
import css from './edit-item-form.module.css'

type Props = {
  categories: Category[]
  colors: Color[]
  item: Item | null
  refused: ItemRefused | undefined
  onSaved: () => void
}

export function EditItemForm({ categories, colors, item, refused, onSaved }: Props) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const [categoryId, setCategoryId] = useState(refused?.typed?.categoryId ?? item?.categoryId ?? '')
  const editor = useItemImages({ item, categoryId })
  const [failure, setFailure] = useState<{ field?: string | undefined; error?: string | undefined }>()
  const [isSettling, setSettling] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { data, state } = fetcher
  // Chosen before the page was interactive.
  useEffect(() => setCategoryId(new FormData(form.current ?? undefined).get('categoryId')?.toString() ?? ''), [])
  const isSaved = state === 'idle' && data?.ok === true
  // The answer came, and the page has read again what is stored: the form starts from that.
  useEffect(() => {
    if (isSaved) onSaved()
  }, [isSaved, onSaved])
  const answered = state === 'idle' && data && !data.ok ? data : undefined
  const shown = failure ?? answered ?? (data ? undefined : refused)
  const isBusy = isSettling || state !== 'idle'

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const sent = new FormData(event.currentTarget)
    const refusal = refuseItem(readTypedItem(sent), editor.images.length)
    setFailure(refusal ?? undefined)
    if (refusal) {
      showToast(refusal.error)
      focusField(form.current, refusal.field)
      return
    }
    setSettling(true)
    // A failed save may have taken the uploads away: the next try sends the files again.
    if (answered) editor.sendAgain()
    const settled = await editor.settle()
    setSettling(false)
    if (!settled.ok) {
      setFailure({ field: 'images', error: settled.text })
      showToast(settled.text)
      return
    }
    editor.appendTo(sent)
    await fetcher.submit(sent, { method: 'post', encType: 'multipart/form-data' })
  }

  const error = (field: ItemField) => (shown?.field === field ? shown.error : undefined)
  return (
    <fetcher.Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      onSubmit={(event) => void save(event)}
      onChange={({ target }) => target instanceof HTMLSelectElement && target.name === 'categoryId' && setCategoryId(target.value)}
      noValidate
    >
      <p className="soft">{REQUIRED_HINT}</p>
      <BackField />
      <ItemTextFields categories={categories} item={item} typed={refused?.typed ?? null} error={error} />
      <EditImages editor={editor} colors={colors} error={error('images')} />
      {shown?.error && !shown.field && (
        <p className="error" role="alert">
          {shown.error}
        </p>
      )}
      <div className={css.save}>
        <button className="button" name="intent" value="save" aria-disabled={isBusy || undefined}>
          {isBusy ? 'Saving…' : item ? 'Update Item' : 'Add Item'}
        </button>
        <span className="soft" role="status">
          {editor.progress}
        </span>
      </div>
    </fetcher.Form>
  )
}

const focusField = (form: HTMLFormElement | null, field: ItemField) =>
  form?.querySelector<HTMLElement>(`[name="${field === 'images' ? 'files' : field}"]`)?.focus()
