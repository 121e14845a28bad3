/** The item form (MERCH-11 to MERCH-36). */
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { smallestUrl } from '#app/ui/picture.tsx'
import { showToast } from '#app/ui/toast-store.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import type { Category, Color, Item } from '#app/features/catalog/catalog.ts'
import { EditImages } from './edit-images.tsx'
import { ItemTextFields } from './item-text-fields.tsx'
import { readTypedItem, refuseItem, REQUIRED_HINT, type ItemField, type ItemRefused } from './item-input.ts'
import { numbered, uploadKey, type EditorImage } from '#app/features/uploads/picture-upload.ts'
import { sendPicture } from './send-picture.ts'
import css from './edit-item-form.module.css'

type Props = {
  categories: Category[]
  colors: Color[]
  item: Item | null
  refused: ItemRefused | undefined
  onSaved: () => void
}

const storedImages = (item: Item | null): EditorImage[] =>
  (item?.pictures ?? []).map(({ id, picture, colorIds, isAvailable }, index) => ({
    index,
    id,
    file: null,
    src: smallestUrl(picture),
    colors: colorIds,
    isAvailable,
    upload: null,
  }))

export function EditItemForm({ categories, colors, item, refused, onSaved }: Props) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const [images, setImages] = useState(() => storedImages(item))
  const [failure, setFailure] = useState<{ field?: string | undefined; error?: string | undefined }>()
  const [progress, setProgress] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const { data, state } = fetcher
  const isSaved = state === 'idle' && data?.ok === true
  // The answer came, and the page has read again what is stored: the form starts from that.
  useEffect(() => {
    if (isSaved) onSaved()
  }, [isSaved, onSaved])
  const answered = state === 'idle' && data && !data.ok ? data : undefined
  const shown = failure ?? answered ?? (data ? undefined : refused)
  const isBusy = progress !== null || state !== 'idle'

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const sent = new FormData(event.currentTarget)
    const refusal = refuseItem(readTypedItem(sent), images.length)
    setFailure(refusal ?? undefined)
    if (refusal) {
      showToast(refusal.error)
      focusField(form.current, refusal.field)
      return
    }
    const uploaded = await uploadAll(String(sent.get('categoryId')))
    if (!uploaded) return
    sent.delete('files')
    sent.delete('picture')
    for (const image of uploaded) {
      const key = image.upload?.state === 'uploaded' ? uploadKey(image.upload.id) : image.id
      sent.append('picture', key)
      sent.delete(`color:${key}`)
      for (const color of image.colors) sent.append(`color:${key}`, color)
      if (image.isAvailable) sent.set(`available:${key}`, 'on')
      else sent.delete(`available:${key}`)
    }
    await fetcher.submit(sent, { method: 'post', encType: 'multipart/form-data' })
  }

  /** MERCH-33: all images first, one after the other; null when one failed (MERCH-43). */
  async function uploadAll(categoryId: string): Promise<EditorImage[] | null> {
    // A failed save may have taken the uploads away: the next try sends the files again.
    let now = answered ? images.map((image) => ({ ...image, upload: null })) : images
    const fresh = now.filter((image) => image.file && image.upload?.state !== 'uploaded')
    for (const [done, image] of fresh.entries()) {
      setProgress(`Uploading image ${done + 1} of ${fresh.length}…`)
      const put = (upload: EditorImage['upload']) => {
        now = now.map((one) => (one.id === image.id ? { ...one, upload } : one))
        setImages(now)
      }
      put({ state: 'pending' })
      const upload = await sendPicture(categoryId, image.file)
      put(upload)
      if (upload.state !== 'error') continue
      setProgress(null)
      setFailure({ field: 'images', error: upload.text })
      showToast(upload.text)
      return null
    }
    setProgress(null)
    return now
  }

  const error = (field: ItemField) => (shown?.field === field ? shown.error : undefined)
  return (
    <fetcher.Form ref={form} method="post" encType="multipart/form-data" onSubmit={(event) => void save(event)} noValidate>
      <p className="soft">{REQUIRED_HINT}</p>
      <BackField />
      <ItemTextFields categories={categories} item={item} typed={refused?.typed ?? null} error={error} />
      <EditImages images={images} colors={colors} error={error('images')} onChange={(next) => setImages(numbered(next))} />
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
          {progress}
        </span>
      </div>
    </fetcher.Form>
  )
}

const focusField = (form: HTMLFormElement | null, field: ItemField) =>
  form?.querySelector<HTMLElement>(`[name="${field === 'images' ? 'files' : field}"]`)?.focus()
