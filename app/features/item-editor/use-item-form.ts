import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { href, useFetcher, useLocation } from 'react-router'
import { showToast } from '#app/ui/toast-store.ts'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { useItemDraft, type ItemDraft } from './item-drafts.ts'
import { storedImages, useItemImages } from './item-images.ts'
import type {
  EditedItem,
  ItemField,
  ItemFormResult,
  ImageFormValues,
  ItemFormValues,
} from './item-form.ts'
import {
  areSameImages,
  differingFields,
  toImageFormValues,
  parseItemForm,
  stateAfterSave,
  validateItem,
  toFormValues,
} from './item-form.ts'

export const newItemUrl = href('/manage/item/:itemid?')

type ItemFormOptions = {
  draftId: string
  item: EditedItem | null
  refused: ItemFormResult | undefined
  onAdded: () => void
}

export function useItemForm({ draftId, item, refused, onAdded }: ItemFormOptions) {
  const form = useRef<HTMLFormElement>(null)
  const { pathname } = useLocation()
  const fetcher = useFetcher<ItemFormResult>()
  const { data, state } = fetcher
  useActionToasts(data)
  const [isSettling, setSettling] = useState(false)
  const isBusy = isSettling || state !== 'idle'
  const [first] = useState(() => refused?.typed ?? toFormValues(item))
  const [categoryId, setCategoryId] = useState(first.categoryId)
  const [base, setBase] = useState({ item, revision: refused?.revision ?? item?.revision ?? null })
  const [isBack, setBack] = useState(false)
  const [hasNewer, setNewer] = useState(false)
  const [failure, setFailure] = useState<{ field?: ItemField; error: string }>()
  const [handled, setHandled] = useState<ItemFormResult>()
  /** The values that the form has sent last. Before the first save, these values are the values with which the page was loaded. */
  const [yours, setYours] = useState({ typed: first, images: refused?.images ?? [] })
  const editor = useItemImages({ item: submittedImages(item, refused?.images), categoryId })
  const { read, restore, subscribe } = editor
  const last = state === 'idle' && data !== handled ? data : undefined
  const answered = last?.ok === false ? last : undefined
  const isGone = (base.item !== null && item === null) || answered?.isGone === true

  const typed = (): ItemFormValues =>
    form.current ? parseItemForm(new FormData(form.current)) : first
  const images = (): ImageFormValues[] =>
    read().map(({ id, colors, isAvailable }) => ({ key: id, colors, isAvailable }))
  const isChanged = () =>
    differingFields(typed(), toFormValues(base.item)).length > 0 ||
    !areSameImages(images(), toImageFormValues(base.item))

  const draft = useItemDraft(draftId, restoreDraft)
  const asDraft = (): ItemDraft => ({
    typed: typed(),
    images: read(),
    revision: base.revision,
    at: Date.now(),
  })
  function note() {
    if (isChanged()) draft.keep(asDraft())
    else draft.drop()
  }
  function write(values: Partial<ItemFormValues>) {
    for (const [name, value] of Object.entries(values)) {
      const field = form.current?.elements.namedItem(name)
      if (field && 'value' in field) field.value = value
    }
    setCategoryId(typed().categoryId)
  }
  /** Restores the images of the draft, and those texts of the draft that differ from the loaded item. */
  function restoreDraft(stored: ItemDraft) {
    write(
      Object.fromEntries(
        differingFields(stored.typed, toFormValues(base.item)).map(({ name }) => [
          name,
          stored.typed[name],
        ]),
      ),
    )
    // If another tab has changed the item's images since the draft was stored, saving reports a conflict.
    restore(stored.images)
    setBase({ ...base, revision: stored.revision })
    if (isChanged()) setBack(true)
    else draft.drop()
  }
  /** Replaces the form's content with the stored item. */
  function show(stored: EditedItem | null) {
    setBase({ item: stored, revision: stored?.revision ?? null })
    write(toFormValues(stored))
    restore(storedImages(stored))
    setBack(false)
    setNewer(false)
    setFailure(undefined)
    setHandled(data)
    draft.drop()
  }

  const noteImages = useEffectEvent(note)
  useEffect(() => subscribe(() => noteImages()), [subscribe])
  // The owner may have chosen a category before hydration.
  useEffect(
    () =>
      setCategoryId(new FormData(form.current ?? undefined).get('categoryId')?.toString() ?? ''),
    [],
  )
  /** Loads the stored item into the form after a save. [S-098] */
  function begin() {
    if (item && item.revision === base.item?.revision) return
    show(item)
    if (!item) onAdded()
  }
  /** After a live update, an unchanged form shows the new values, and a changed form shows a note. */
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
  // The images of a deleted item no longer exist, so the form removes these images.
  const dropStored = useEffectEvent(() =>
    read().forEach(({ id, file }) => file ?? editor.remove(id)),
  )
  const isItemGone = base.item !== null && item === null
  useEffect(() => {
    if (isItemGone) dropStored()
  }, [isItemGone])
  const answeredField = answered?.field as ItemField | undefined
  useEffect(() => {
    if (answeredField) focusField(form.current, answeredField)
  }, [answered, answeredField])

  /** True if the effect below sent the form last, and not the owner. */
  const isAgain = useRef(false)
  const requestedState = useRef<string | null>(null)
  const lost = answered?.lost
  const { markLost } = editor
  // If a form was open for days, its uploads have expired. Then this effect uploads the images again and saves the form.
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
    // The effect above and the button "Keep mine" send a refused form again. Then the form requests the same state as before.
    if (submitter && !sent.has('keep'))
      requestedState.current = sent.get('state')?.toString() ?? null
    else if (requestedState.current) sent.set('state', requestedState.current)
    const state = stateAfterSave(isGone || !item ? null : item.state, requestedState.current)
    const refusal = validateItem(parseItemForm(sent), editor.images.length, state)
    setFailure(refusal ?? undefined)
    if (refusal) {
      showToast(refusal.error)
      focusField(form.current, refusal.field)
      return
    }
    // Moves the focus to the save button, because the fields become inert and would lose the focus.
    form.current?.querySelector<HTMLElement>('.button[value=save]')?.focus({ preventScroll: true })
    setSettling(true)
    isAgain.current = submitter === null
    const settled = await editor.settle()
    setSettling(false)
    if (!settled.ok) {
      setFailure({ field: 'images', error: settled.text })
      showToast(settled.text)
      // Moves the focus to the image whose upload failed, because this image may be far from the save button.
      form.current?.querySelector<HTMLElement>('[data-failed] [data-remove]')?.focus()
      return
    }
    editor.appendTo(sent)
    setYours({ typed: parseItemForm(sent), images: images() })
    await fetcher.submit(sent, {
      method: 'post',
      encType: 'multipart/form-data',
      action: isGone || !item ? newItemUrl : pathname,
    })
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

/** Returns the images that a refused form without JavaScript shows. They have the submitted sequence, and images that the owner has removed are missing. */
function submittedImages(
  item: EditedItem | null,
  typed: readonly ImageFormValues[] | undefined,
): EditedItem | null {
  if (!item || !typed) return item
  const pictures = typed.flatMap(({ key, colors, isAvailable }) => {
    const picture = item.pictures.find(({ id }) => id === key)
    return picture ? [{ ...picture, colorIds: colors, isAvailable }] : []
  })
  return { ...item, pictures }
}
