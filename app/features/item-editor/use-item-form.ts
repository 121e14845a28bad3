import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { href, useFetcher, useLocation } from 'react-router'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { useItemDraft, type ItemDraft } from './item-drafts.ts'
import { storedImages, useItemImages } from './item-images.ts'
import {
  areSameImages,
  differingFields,
  imagesOf,
  readTypedItem,
  refuseItem,
  typedOf,
  type EditedItem,
  type ItemField,
  type ItemRefused,
  type TypedImage,
  type TypedItem,
} from './item-input.ts'

export const newItem = href('/manage/item/:itemid?')

type Given = {
  draftId: string
  item: EditedItem | null
  refused: ItemRefused | undefined
  onAdded: () => void
}

export function useItemForm({ draftId, item, refused, onAdded }: Given) {
  const form = useRef<HTMLFormElement>(null)
  const { pathname } = useLocation()
  const fetcher = useFetcher<ItemRefused>()
  const { data, state } = fetcher
  useAnswerToasts(data)
  const [isSettling, setSettling] = useState(false)
  const isBusy = isSettling || state !== 'idle'
  const [first] = useState(() => refused?.typed ?? typedOf(item))
  const [categoryId, setCategoryId] = useState(first.categoryId)
  const [base, setBase] = useState({ item, revision: refused?.revision ?? item?.revision ?? null })
  const [isBack, setBack] = useState(false)
  const [hasNewer, setNewer] = useState(false)
  const [failure, setFailure] = useState<{ field?: ItemField; error: string }>()
  const [handled, setHandled] = useState<ItemRefused>()
  /** What was sent last; at first by a form without script. */
  const [yours, setYours] = useState({ typed: first, images: refused?.images ?? [] })
  const editor = useItemImages({ item: asTyped(item, refused?.images), categoryId })
  const { read, restore, subscribe } = editor
  const last = state === 'idle' && data !== handled ? data : undefined
  const answered = last?.ok === false ? last : undefined
  const isGone = (base.item !== null && item === null) || answered?.isGone === true

  const typed = (): TypedItem => (form.current ? readTypedItem(new FormData(form.current)) : first)
  const images = (): TypedImage[] => read().map(({ id, colors, isAvailable }) => ({ key: id, colors, isAvailable }))
  const isChanged = () => differingFields(typed(), typedOf(base.item)).length > 0 || !areSameImages(images(), imagesOf(base.item))

  const draft = useItemDraft(draftId, bringBack)
  const asDraft = (): ItemDraft => ({ typed: typed(), images: read(), revision: base.revision, at: Date.now() })
  function note() {
    if (isChanged()) draft.keep(asDraft())
    else draft.drop()
  }
  function write(values: Partial<TypedItem>) {
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name)
      if (field && 'value' in field) field.value = value
    }
    setCategoryId(typed().categoryId)
  }
  /** What she typed in the draft; where she typed nothing, what stands in the field already. */
  function bringBack(kept: ItemDraft) {
    write(Object.fromEntries(differingFields(kept.typed, typedOf(base.item)).map(({ name }) => [name, kept.typed[name]])))
    // Pictures that the item has lost or gained since are not the draft's to decide unseen: saving tells of them.
    restore(kept.images)
    setBase({ ...base, revision: kept.revision })
    if (isChanged()) setBack(true)
    else draft.drop()
  }
  /** The form shows what is stored; whatever else stood in it, or was answered, is given up. */
  function show(stored: EditedItem | null) {
    setBase({ item: stored, revision: stored?.revision ?? null })
    write(typedOf(stored))
    restore(storedImages(stored))
    setBack(false)
    setNewer(false)
    setFailure(undefined)
    setHandled(data)
    draft.drop()
  }

  const noteImages = useEffectEvent(note)
  useEffect(() => subscribe(() => noteImages()), [subscribe])
  // Chosen before the page was interactive.
  useEffect(() => setCategoryId(new FormData(form.current ?? undefined).get('categoryId')?.toString() ?? ''), [])
  /** An answer came, and the page has read again what is stored: the form starts from that (S-098). */
  function begin() {
    if (item && item.revision === base.item?.revision) return
    show(item)
    if (!item) onAdded()
  }
  /** The shop told that something changed: an untouched form follows, a touched one says so. */
  function follow() {
    if (!item || item.revision === base.item?.revision) return
    if (!isChanged()) return show(item)
    setNewer(item.revision !== base.revision)
    draft.keep(asDraft(), true)
  }
  const latest = useRef({ begin, follow })
  useEffect(() => {
    latest.current = { begin, follow }
  })
  const isSaved = last?.ok === true
  const revision = item?.revision
  useEffect(() => {
    if (isSaved) latest.current.begin()
    else if (!isBusy && revision !== undefined) latest.current.follow()
  }, [isSaved, isBusy, revision])
  // The pictures of an item that is gone are gone with it.
  const dropStored = useEffectEvent(() => read().forEach(({ id, file }) => file ?? editor.remove(id)))
  const isTaken = base.item !== null && item === null
  useEffect(() => {
    if (isTaken) dropStored()
  }, [isTaken])
  const answeredField = answered?.field as ItemField | undefined
  useEffect(() => {
    if (answeredField) focusField(form.current, answeredField)
  }, [answered, answeredField])

  /** The last sending was none of hers. */
  const isAgain = useRef(false)
  const lost = answered?.lost
  const { markLost } = editor
  // Uploads live outside React. A form that lay open for days sends its images once more, and saves then by itself.
  useEffect(() => {
    if (!lost) return
    markLost(lost)
    if (!isAgain.current) form.current?.requestSubmit()
  }, [lost, markLost])

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const { submitter } = event.nativeEvent as SubmitEvent
    const sent = new FormData(event.currentTarget, submitter)
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
    isAgain.current = submitter === null
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
    setYours({ typed: readTypedItem(sent), images: images() })
    await fetcher.submit(sent, { method: 'post', encType: 'multipart/form-data', action: isGone || !item ? newItem : pathname })
  }

  const shown = failure ?? answered ?? (data ? undefined : refused)
  return {
    form,
    fetcher,
    first,
    base,
    editor,
    draft,
    isBusy,
    isBack,
    hasNewer,
    isGone,
    shown,
    yours,
    conflict: shown && 'conflict' in shown ? shown.conflict : undefined,
    error: (field: ItemField) => (shown?.field === field ? shown.error : undefined),
    setCategoryId,
    isChanged,
    note,
    show,
    save,
  }
}

const focusField = (form: HTMLFormElement | null, field: ItemField) =>
  form?.querySelector<HTMLElement>(`[name="${field === 'images' ? 'files' : field}"]`)?.focus()

/** Without script the page comes back with the images as they were put: in their order, without those taken out. */
function asTyped(item: EditedItem | null, typed: readonly TypedImage[] | undefined): EditedItem | null {
  if (!item || !typed) return item
  const pictures = typed.flatMap(({ key, colors, isAvailable }) => {
    const picture = item.pictures.find(({ id }) => id === key)
    return picture ? [{ ...picture, colorIds: colors, isAvailable }] : []
  })
  return { ...item, pictures }
}
