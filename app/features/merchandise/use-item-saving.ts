/** Sends the item form: first its checks, then the images, then the rest; and what the shop answers (MERCH-22, MERCH-33, MERCH-34). */
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { href, useFetcher, useLocation } from 'react-router'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { readTypedItem, refuseItem, type EditedItem, type ItemField, type ItemRefused } from './item-input.ts'
import type { useItemForm } from './use-item-form.ts'

/** Apart from the rest, since the form itself must know whether it is under way. */
export function useItemSending() {
  const fetcher = useFetcher<ItemRefused>()
  const [isSettling, setSettling] = useState(false)
  useAnswerToasts(fetcher.data)
  return { fetcher, setSettling, isBusy: isSettling || fetcher.state !== 'idle' }
}

export const newItem = href('/manage/item/:itemid?')

type Given = {
  opened: ReturnType<typeof useItemForm>
  sending: ReturnType<typeof useItemSending>
  item: EditedItem | null
  refused: ItemRefused | undefined
  onAdded: () => void
}

export function useItemSaving({ opened, sending, item, refused, onAdded }: Given) {
  const { form, base, editor } = opened
  const { fetcher, setSettling, isBusy } = sending
  const { data, state } = fetcher
  const { pathname } = useLocation()
  const [failure, setFailure] = useState<{ field?: ItemField; error: string }>()
  const [handled, setHandled] = useState<ItemRefused>()
  /** What was sent last; at first by a form without script. */
  const [yours, setYours] = useState({ typed: refused?.typed ?? opened.first, images: refused?.images ?? [] })
  const last = state === 'idle' && data !== handled ? data : undefined
  const answered = last?.ok === false ? last : undefined
  const isGone = opened.isGone || answered?.isGone === true

  /** The answer came, and the page has read again what is stored: the form starts from that (S-098). */
  function begin() {
    if (item && item.revision === base.item?.revision) return
    setHandled(data)
    opened.show(item)
    if (!item) onAdded()
  }
  const latest = useRef(begin)
  useEffect(() => {
    latest.current = begin
  })
  const isSaved = last?.ok === true
  const revision = item?.revision
  useEffect(() => {
    if (isSaved) latest.current()
  }, [isSaved, revision])
  const answeredField = answered?.field as ItemField | undefined
  // The focus is the browser's.
  useEffect(() => {
    if (answeredField) focusField(form.current, answeredField)
  }, [answered, answeredField, form])

  /** The last sending was none of hers. */
  const isAgain = useRef(false)
  const lost = answered?.lost
  const { sendAgain } = editor
  // Uploads live outside React. A form that lay open for days sends its images once more, and saves then by itself.
  useEffect(() => {
    if (!lost) return
    sendAgain(lost)
    if (!isAgain.current) form.current?.requestSubmit()
  }, [lost, sendAgain, form])

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const sent = new FormData(event.currentTarget, (event.nativeEvent as SubmitEvent).submitter)
    const refusal = refuseItem(readTypedItem(sent), editor.images.length)
    setFailure(refusal ?? undefined)
    if (refusal) {
      showToast(refusal.error)
      focusField(form.current, refusal.field)
      return
    }
    // The fields rest meanwhile, and would drop the focus.
    form.current?.querySelector<HTMLElement>('.button[value=save]')?.focus({ preventScroll: true })
    setSettling(true)
    isAgain.current = (event.nativeEvent as SubmitEvent).submitter === null
    const settled = await editor.settle()
    setSettling(false)
    if (!settled.ok) {
      setFailure({ field: 'images', error: settled.text })
      showToast(settled.text)
      // The picture that is in the way may be far from the button.
      form.current?.querySelector<HTMLElement>('[data-failed] [aria-label^=Remove]')?.focus()
      return
    }
    editor.appendTo(sent)
    setYours({ typed: readTypedItem(sent), images: opened.images() })
    await fetcher.submit(sent, { method: 'post', encType: 'multipart/form-data', action: isGone || !item ? newItem : pathname })
  }

  const shown = failure ?? answered ?? (data ? undefined : refused)
  return {
    save,
    isGone,
    shown,
    yours,
    conflict: shown && 'conflict' in shown ? shown.conflict : undefined,
    error: (field: ItemField) => (shown?.field === field ? shown.error : undefined),
    /** What was answered is dealt with: nothing of it stands there any longer. */
    dismiss() {
      setFailure(undefined)
      setHandled(data)
    },
  }
}

const focusField = (form: HTMLFormElement | null, field: ItemField) =>
  form?.querySelector<HTMLElement>(`[name="${field === 'images' ? 'files' : field}"]`)?.focus()
