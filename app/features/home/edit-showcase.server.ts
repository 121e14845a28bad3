import type { AppServices } from '#services/context.ts'
import { lockCategories } from '#catalog/catalog.server.ts'
import { isRefusal, refuse, type Refusal } from '#lib/refusal.ts'
import { newId15 } from '#lib/text/ids.ts'
import { type Reorder, reordered } from '#ui/list-order.ts'
import type { AuditEvent } from '#services/audit-log.server.ts'
import { changeImages } from '#images/edit-images.server.ts'
import { isChosenFile } from '#images/image-upload.ts'
import type { StoredImage } from '#services/image-store.server.ts'
import type { Tables, Tx } from '#db/schema.ts'
import { evenDeg } from './showcase.ts'
import { listCircles } from './showcase.server.ts'

type Circle = Omit<Tables['showcase'], 'position'>
type RingChange = { circles: Circle[]; event: Pick<AuditEvent, 'act' | 'subject' | 'name'> | null }
type RingRefusal = Refusal<'not-found' | 'no-category' | 'last-circle'>

export function saveCircle(
  app: AppServices,
  actor: string,
  id: string,
  title: string,
  file: FormDataEntryValue | undefined,
) {
  const upload = isChosenFile(file) ? { folder: 'category' as const, file } : null
  const change = async (tx: Tx, circles: Circle[], image: StoredImage | undefined) => {
    const circle = circles.find((candidate) => candidate.id === id)
    if (!circle) return refuse('not-found')
    const name = await categoryTitle(tx, circle.categoryId)
    const changedCircle = { ...circle, title, imageId: image?.id ?? circle.imageId }
    return {
      circles: circles.with(circles.indexOf(circle), changedCircle),
      event: { act: 'change-circle' as const, subject: id, name },
    }
  }
  return changeRing(app, actor, change, upload)
}

export const addCircle = (app: AppServices, actor: string, categoryId: string) =>
  changeRing(app, actor, async (tx, circles) => {
    const name = await categoryTitle(tx, categoryId)
    const isInRing = circles.some((circle) => circle.categoryId === categoryId)
    if (!name || isInRing) return refuse('no-category')
    const circle = { id: newId15(), title: '', imageId: null, categoryId, deg: 0 }
    return {
      circles: spreadEvenly([...circles, circle]),
      event: { act: 'add-circle', subject: circle.id, name },
    }
  })

export const removeCircle = (app: AppServices, actor: string, id: string) =>
  changeRing(app, actor, async (tx, circles) => {
    const circle = circles.find((candidate) => candidate.id === id)
    if (!circle) return refuse('not-found')
    if (circles.length === 1) return refuse('last-circle')
    const name = await categoryTitle(tx, circle.categoryId)
    return {
      circles: spreadEvenly(circles.filter((candidate) => candidate !== circle)),
      event: { act: 'remove-circle', subject: id, name },
    }
  })

export const orderRing = (app: AppServices, actor: string, change: Reorder) =>
  changeRing(app, actor, async (_, circles) => {
    const ids = circles.map(({ id }) => id)
    const order = reordered(ids, change) ?? ids
    const sortedCircles = order.map((id, index) => ({
      ...circles.find((circle) => circle.id === id)!,
      deg: circles[index]!.deg,
    }))
    const isSame = order.every((id, index) => id === ids[index])
    return { circles: sortedCircles, event: isSame ? null : { act: 'order-circles', subject: '' } }
  })

const spreadEvenly = (circles: Circle[]) =>
  circles.map((circle, index) => ({ ...circle, deg: evenDeg(index, circles.length) }))

async function categoryTitle(tx: Tx, id: string) {
  const query = tx.selectFrom('categories').select('title').where('id', '=', id)
  return (await query.executeTakeFirst())?.title ?? ''
}

const changeRing = (
  app: AppServices,
  actor: string,
  change: (
    tx: Tx,
    circles: Circle[],
    image: StoredImage | undefined,
  ) => Promise<RingChange | RingRefusal>,
  upload?: { folder: 'category'; file: File } | null,
) => {
  const failure = 'the ring on Home could not be changed'
  return changeImages(app, { failure, upload }, async (tx, _now, image) => {
    const before = await lockRing(tx)
    const outcome = await change(tx, before, image)
    if (isRefusal(outcome)) return outcome
    const { circles, event } = outcome
    if (!event) return {}
    await writeCircles(tx, circles)
    return {
      audit: { ...event, actor },
      topics: ['catalog'],
      value: { hasNewImage: image !== undefined },
      unused: before
        .map(({ imageId }) => imageId)
        .filter((id) => !circles.some(({ imageId }) => imageId === id)),
    }
  })
}

/** Locks the categories, because the ring has no rows to lock before its first change. */
async function lockRing(tx: Tx) {
  await lockCategories(tx)
  const rows = await tx.selectFrom('showcase').select(['id', 'imageId']).execute()
  const imageIds = new Map(rows.map(({ id, imageId }) => [id, imageId]))
  const circles = await listCircles(tx)
  return circles.map(({ id, title, categoryId, deg }) => ({
    id,
    title,
    categoryId,
    deg,
    imageId: imageIds.get(id) ?? null,
  }))
}

async function writeCircles(tx: Tx, circles: Circle[]) {
  const ids = circles.map(({ id }) => id)
  await tx.deleteFrom('showcase').where('id', 'not in', ids).execute()
  for (const [position, circle] of circles.entries()) {
    await tx
      .insertInto('showcase')
      .values({ ...circle, position })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...circle, position }))
      .execute()
  }
}
