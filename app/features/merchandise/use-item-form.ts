/** What the open item form stands for: what it was loaded with, what was changed in it, what was changed elsewhere meanwhile (018). */
import { useEffect, useRef, useState } from 'react'
import { areSameImages, differingFields, imagesOf } from './item-differences.ts'
import type { ItemDraft } from './item-drafts.ts'
import { storedImages } from './editor-images.ts'
import { readTypedItem, typedOf, type EditedItem, type ItemRefused, type TypedImage, type TypedItem } from './item-input.ts'
import { useItemDraft } from './use-item-draft.ts'
import { useItemImages } from './use-item-images.ts'

type Given = {
  /** 'new', or the id of the address: the item may be gone */
  draftId: string
  item: EditedItem | null
  refused: ItemRefused | undefined
  /** it is being sent: what comes from the shop meanwhile is likely its own doing */
  isBusy: boolean
}

export function useItemForm({ draftId, item, refused, isBusy }: Given) {
  const form = useRef<HTMLFormElement>(null)
  const [first] = useState(() => refused?.typed ?? typedOf(item))
  const [categoryId, setCategoryId] = useState(first.categoryId)
  const [base, setBase] = useState({ item, revision: refused?.revision ?? item?.revision ?? null })
  const [isBack, setBack] = useState(false)
  const [hasNewer, setNewer] = useState(false)
  const editor = useItemImages({ item: asTyped(item, refused?.images), categoryId })
  const { read, restore, subscribe } = editor
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
    const stored = typedOf(base.item)
    write(Object.fromEntries(differingFields(kept.typed, stored).map(({ name }) => [name, kept.typed[name]])))
    // Pictures that the item has lost or gained since are not the draft's to decide unseen: saving tells of them.
    restore(kept.images)
    setBase({ ...base, revision: kept.revision })
    if (isChanged()) setBack(true)
    else draft.drop()
  }
  /** The form shows what is stored; whatever else stood in it is given up. */
  function show(stored: EditedItem | null) {
    setBase({ item: stored, revision: stored?.revision ?? null })
    write(typedOf(stored))
    restore(storedImages(stored))
    setBack(false)
    setNewer(false)
    draft.drop()
  }

  // The shop told that something changed: an untouched form follows, a touched one says so.
  function follow() {
    if (!item || item.revision === base.item?.revision) return
    if (!isChanged()) return show(item)
    setNewer(item.revision !== base.revision)
    draft.keepAnew(asDraft())
  }
  // The pictures of an item that is gone are gone with it.
  const dropStored = () => read().forEach(({ id, file }) => file ?? editor.remove(id))
  const latest = useRef({ note, follow, dropStored })
  useEffect(() => {
    latest.current = { note, follow, dropStored }
  })
  // The images live outside React.
  useEffect(() => subscribe(() => latest.current.note()), [subscribe])
  // Chosen before the page was interactive.
  useEffect(() => setCategoryId(new FormData(form.current ?? undefined).get('categoryId')?.toString() ?? ''), [])
  const revision = item?.revision
  useEffect(() => {
    if (!isBusy && revision !== undefined) latest.current.follow()
  }, [isBusy, revision])
  const isGone = base.item !== null && item === null
  useEffect(() => {
    if (isGone) latest.current.dropStored()
  }, [isGone])

  return { form, first, base, editor, draft, isBack, hasNewer, isGone, setCategoryId, typed, images, isChanged, note, show }
}

/** Without script the page comes back with the images as they were put: in their order, without those taken out. */
function asTyped(item: EditedItem | null, typed: readonly TypedImage[] | undefined): EditedItem | null {
  if (!item || !typed) return item
  const pictures = typed.flatMap(({ key, colors, isAvailable }) => {
    const picture = item.pictures.find(({ id }) => id === key)
    return picture ? [{ ...picture, colorIds: colors, isAvailable }] : []
  })
  return { ...item, pictures }
}
