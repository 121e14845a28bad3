import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import { href, useFetcher, useLocation } from 'react-router'
import { recordOf } from '#lib/record-of.ts'
import { showToast, useActionToasts } from '#ui/toasts.tsx'
import { useItemDraft, type ItemDraft } from './item-drafts.ts'
import { storedImages, useItemImages } from './item-images.ts'
import {
  type EditedItem,
  type ItemField,
  type ItemFormResult,
  type ImageFormValues,
  type ItemFormValues,
  areSameImages,
  differingFields,
  toImageFormValues,
  parseItemForm,
  stateAfterSave,
  validateItem,
  toFormValues,
} from './item-form.ts'

export const newItemUrl = href('/manage/item/:itemid?')

export type ItemFormOptions = {
  item: EditedItem | null
  itemId: string | null
  /** The answer to a refused form that the browser sent without JavaScript. */
  refused: ItemFormResult | undefined
  isDeleted: boolean
  onAdded: () => void
}

export function useItemForm(options: ItemFormOptions) {
  const { item, onAdded } = options
  const revision = item?.revision
  const fields = useItemFields(options)
  const version = useVersion(fields, options)
  const { base, setBase, draft, isChanged } = version
  const saving = useSaving(fields, options, version.isItemGone)
  const { isBusy, isSaved, result } = saving
  const conflict = result?.conflict

  function show(stored: EditedItem | null) {
    setBase(baseOf(stored))
    fields.write(toFormValues(stored))
    fields.editor.restore(storedImages(stored))
    saving.dismiss()
    draft.drop()
  }
  function followStored() {
    if (item && item.revision === base.item?.revision) return
    if (isSaved) {
      show(item)
      if (!item) onAdded()
    } else if (item && !isBusy) {
      if (!isChanged()) return show(item)
      setBase({ ...base, hasNewer: item.revision !== base.revision })
      draft.keep(version.currentDraft(), true)
    }
  }
  const latest = useRef(followStored)
  useEffect(() => {
    latest.current = followStored
  })
  useEffect(() => latest.current(), [isSaved, isBusy, revision])

  return {
    ...fields,
    ...saving,
    ...version,
    conflict,
    isOutdated: base.item !== null && base.revision !== revision,
    error: (field: ItemField) => (result?.field === field ? result.error : undefined),
    takeStored() {
      fields.editor.discard()
      show(conflict && conflict.revision > (revision ?? 0) ? conflict : item)
    },
  }
}

const baseOf = (item: EditedItem | null) => ({
  item,
  revision: item?.revision ?? null,
  isRestored: false,
  hasNewer: false,
})

function useVersion(
  { editor, typed, images, write, readCategory }: ReturnType<typeof useItemFields>,
  { item, itemId, refused, isDeleted }: ItemFormOptions,
) {
  const [base, setBase] = useState(() => {
    const storedBase = baseOf(item)
    return { ...storedBase, revision: refused?.revision ?? storedBase.revision }
  })
  const isChanged = () =>
    differingFields(typed(), toFormValues(base.item)).length > 0 ||
    !areSameImages(images(), toImageFormValues(base.item))

  const draft = useItemDraft(itemId ?? 'new', restoreDraft)
  function restoreDraft(stored: ItemDraft) {
    const changedFields = differingFields(stored.typed, toFormValues(base.item))
    write(recordOf(changedFields, (name) => stored.typed[name]))
    // If another tab has changed the item's images since the draft, saving reports a conflict.
    editor.restore(stored.images)
    const isRestored = isChanged()
    setBase({ ...base, revision: stored.revision, isRestored })
    if (!isRestored) draft.drop()
  }
  const currentDraft = (): ItemDraft => ({
    typed: typed(),
    images: editor.read(),
    revision: base.revision,
    at: Date.now(),
  })
  function note() {
    readCategory()
    if (isChanged()) draft.keep(currentDraft())
    else draft.drop()
  }
  const { subscribe } = editor
  const noteImages = useEffectEvent(note)
  useEffect(() => subscribe(() => noteImages()), [subscribe])
  useEffect(() => {
    if (isDeleted) draft.drop()
  }, [isDeleted, draft])
  const removeStoredImages = useEffectEvent(() => {
    for (const { id, file } of editor.read()) if (!file) editor.remove(id)
  })
  const isItemGone = base.item !== null && item === null
  useEffect(() => {
    if (isItemGone) removeStoredImages()
  }, [isItemGone])
  return {
    base,
    setBase,
    isItemGone,
    draft,
    currentDraft,
    isChanged,
    note,
    leave(hasDraft: boolean) {
      if (hasDraft) return draft.flush()
      editor.discard()
      draft.drop()
    },
  }
}

function useItemFields({ item, refused }: ItemFormOptions) {
  const form = useRef<HTMLFormElement>(null)
  const [first] = useState(() => refused?.typed ?? toFormValues(item))
  const [categoryId, setCategoryId] = useState(first.categoryId)
  const editor = useItemImages(submittedImages(item, refused?.images), categoryId)
  const typed = () => (form.current ? parseItemForm(new FormData(form.current)) : first)
  const readCategory = () => setCategoryId(typed().categoryId)
  // The owner may have chosen a category before hydration.
  useEffect(() => {
    if (form.current) setCategoryId(parseItemForm(new FormData(form.current)).categoryId)
  }, [])
  return {
    form,
    first,
    editor,
    typed,
    images: (): ImageFormValues[] =>
      editor.read().map(({ id, colors, isAvailable }) => ({ key: id, colors, isAvailable })),
    readCategory,
    write(values: Partial<ItemFormValues>) {
      for (const [name, value] of Object.entries(values)) {
        const field = form.current?.elements.namedItem(name)
        if (field && 'value' in field) field.value = value
      }
      readCategory()
    },
  }
}

function submittedImages(item: EditedItem | null, typed: readonly ImageFormValues[] | undefined) {
  if (!item || !typed) return item
  const images = typed.flatMap(({ key, colors, isAvailable }) => {
    const image = item.images.find(({ id }) => id === key)
    return image ? [{ ...image, colorIds: colors, isAvailable }] : []
  })
  return { ...item, images }
}

function useAnswer() {
  const fetcher = useFetcher<ItemFormResult>()
  const { data, state } = fetcher
  useActionToasts(data)
  const [dismissed, setDismissed] = useState<ItemFormResult>()
  const answer = state === 'idle' && data !== dismissed ? data : undefined
  return { fetcher, answer, dismissAnswer: () => setDismissed(data) }
}

function useSaving(
  { form, first, images, editor }: ReturnType<typeof useItemFields>,
  { item, refused }: ItemFormOptions,
  isItemGone: boolean,
) {
  const { pathname } = useLocation()
  const { fetcher, answer, dismissAnswer } = useAnswer()
  const [isSettling, setSettling] = useState(false)
  const isBusy = isSettling || fetcher.state !== 'idle'
  const [failure, setFailure] = useState<Omit<ItemFormResult, 'ok'> | null>(null)
  const refusal = answer?.ok === false ? answer : undefined
  const isGone = isItemGone || refusal?.isGone === true
  const storedItem = isGone ? null : item
  const [submitted, setSubmitted] = useState({ typed: first, images: refused?.images ?? [] })
  const isRepeated = useRef(false)
  const requestedState = useRef<string | null>(null)

  useEffect(() => {
    if (refusal?.field) focusField(form.current, refusal.field)
  }, [form, refusal])
  const lost = refusal?.lost
  const { markLost } = editor
  // Uploads images again that the server has deleted because the form was open for days.
  useEffect(() => {
    if (!lost) return
    markLost(lost)
    if (!isRepeated.current) form.current?.requestSubmit()
  }, [form, lost, markLost])

  function refuse(field: ItemField, error: string) {
    setFailure({ field, error })
    showToast(error)
  }
  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const { submitter } = event.nativeEvent as SubmitEvent
    const values = new FormData(event.currentTarget, submitter)
    // A submission by the effect above or by "Keep mine" requests the previous state.
    if (submitter && !values.has('keep')) {
      requestedState.current = values.get('state')?.toString() ?? null
    } else if (requestedState.current) {
      values.set('state', requestedState.current)
    }
    const nextState = stateAfterSave(storedItem?.state ?? null, requestedState.current)
    const invalid = validateItem(parseItemForm(values), editor.images.length, nextState)
    setFailure(null)
    if (invalid) {
      refuse(invalid.field, invalid.error)
      focusField(form.current, invalid.field)
      return
    }
    // The fields become inert, and an inert field would lose the focus.
    form.current?.querySelector<HTMLElement>('.button[value=save]')?.focus({ preventScroll: true })
    setSettling(true)
    isRepeated.current = submitter === null
    const settled = await editor.settle()
    setSettling(false)
    if (!settled.ok) {
      refuse('images', settled.text)
      form.current?.querySelector<HTMLElement>('[data-failed] [data-remove]')?.focus()
      return
    }
    editor.appendTo(values)
    setSubmitted({ typed: parseItemForm(values), images: images() })
    await fetcher.submit(values, {
      method: 'post',
      encType: 'multipart/form-data',
      action: storedItem ? pathname : newItemUrl,
    })
  }

  return {
    fetcher,
    isBusy,
    isSaved: answer?.ok === true,
    isGone,
    submitted,
    result: failure ?? refusal ?? (fetcher.data ? undefined : refused),
    save,
    dismiss() {
      setFailure(null)
      dismissAnswer()
    },
  }
}

const focusField = (form: HTMLFormElement | null, field: string) =>
  form?.querySelector<HTMLElement>(`[name="${field === 'images' ? 'files' : field}"]`)?.focus()
