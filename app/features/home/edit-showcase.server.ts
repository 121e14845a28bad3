/** Changes the ring of circles on the home page. The default ring has no records, so the first change stores a record for each circle. [S-020, OWN-08] */
import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { completeSequence, sequenceAfterStep } from '#app/ui/list-order.ts'
import { recordAuditEvent, type AuditEvent } from '#app/services/audit-log.server.ts'
import {
  deletePictureFiles,
  prepareUpload,
  removePictureRows,
  withPreparedImages,
} from '#app/features/images/edit-images.server.ts'
import { pictureErrorTexts, sceneFormTexts } from '#app/features/images/owner-texts.ts'
import type { StoredImage } from '#app/lib/images/image-store.server.ts'
import type { Tx } from '#db/schema.ts'
import { evenDeg } from './showcase.ts'
import { listCircles } from './showcase.server.ts'
import { ringTexts as texts } from './owner-texts.ts'

type Circle = {
  id: string
  title: string
  pictureId: string | null
  categoryId: string
  deg: number
}
type Event = Pick<AuditEvent, 'act' | 'subject' | 'name'>
/** The result of a change of the ring. If the result is a `refusal`, the shop writes nothing. */
type Change = { circles: Circle[]; event: Event | null } | { refusal: ActionOutcome }

const MAX_TITLE_LENGTH = 100

export async function handleRingAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome> {
  const [intent, id] = [formText(form, 'intent'), formText(form, 'id')]
  if (intent === 'save-circle')
    return saveCircle(app, actor, id, formText(form, 'title').trim(), form.get('file'))
  if (intent === 'add-circle') return addCircle(app, actor, formText(form, 'categoryId'))
  if (intent === 'remove-circle' && formText(form, 'confirm') === 'Yes')
    return removeCircle(app, actor, id)
  const by = { up: -1, down: 1 }[formText(form, 'by')]
  if (intent === 'move' && (by === -1 || by === 1))
    return orderRing(app, actor, (present) => sequenceAfterStep(present, id, by))
  const order = form.getAll('order').filter((value) => typeof value === 'string')
  if (intent === 'order')
    return orderRing(app, actor, (present) => completeSequence(present, order))
  return refused(400)
}

async function saveCircle(
  app: AppServices,
  actor: string,
  id: string,
  title: string,
  file: FormDataEntryValue | null,
) {
  if (title.length > MAX_TITLE_LENGTH)
    return refused(422, { field: 'title', error: texts.tooLong(MAX_TITLE_LENGTH) })
  const hasFile = file instanceof File && file.name !== ''
  const prepared = hasFile ? await prepareUpload(app, 'category', file) : null
  if (prepared && !prepared.ok)
    return refused(422, { field: 'file', error: pictureErrorTexts[prepared.refusal] })
  const picture = prepared?.picture
  return changeRing(
    app,
    actor,
    async (tx, circles) => {
      const circle = circles.find((each) => each.id === id)
      if (!circle) return { refusal: refused(404) }
      const changed = { ...circle, title, pictureId: picture?.id ?? circle.pictureId }
      const name = await categoryTitle(tx, circle.categoryId)
      return {
        circles: circles.map((each) => (each === circle ? changed : each)),
        event: { act: 'change-circle', subject: id, name },
      }
    },
    picture,
  )
}

const addCircle = (app: AppServices, actor: string, categoryId: string) =>
  changeRing(app, actor, async (tx, circles) => {
    const name = await categoryTitle(tx, categoryId)
    if (!name || circles.some((circle) => circle.categoryId === categoryId))
      return { refusal: refused(422, { field: 'categoryId', error: texts.noCategory }) }
    const added = { id: newId15(), title: '', pictureId: null, categoryId, deg: 0 }
    return {
      circles: spreadEvenly([...circles, added]),
      event: { act: 'add-circle', subject: added.id, name },
    }
  })

const removeCircle = (app: AppServices, actor: string, id: string) =>
  changeRing(app, actor, async (tx, circles) => {
    const circle = circles.find((each) => each.id === id)
    if (!circle) return { refusal: refused(404) }
    if (circles.length === 1) return { refusal: refused(422, { toasts: [texts.lastCircle] }) }
    const name = await categoryTitle(tx, circle.categoryId)
    return {
      circles: spreadEvenly(circles.filter((each) => each !== circle)),
      event: { act: 'remove-circle', subject: id, name },
    }
  })

/** Sorts the circles. The places on the ring (`deg`) stay the same, and the sorted circles are put on these places. */
const orderRing = (app: AppServices, actor: string, reorder: (present: string[]) => string[]) =>
  changeRing(app, actor, (_, circles) => {
    const present = circles.map(({ id }) => id)
    const order = reorder(present)
    const moved = order.map((id, at) => ({
      ...circles.find((circle) => circle.id === id)!,
      deg: circles[at]!.deg,
    }))
    const isSame = order.every((id, at) => id === present[at])
    return { circles: moved, event: isSame ? null : { act: 'order-circles', subject: '' } }
  })

const spreadEvenly = (circles: Circle[]): Circle[] =>
  circles.map((circle, at) => ({ ...circle, deg: evenDeg(at, circles.length) }))

const categoryTitle = async (tx: Tx, id: string): Promise<string> =>
  (await tx.selectFrom('categories').select('title').where('id', '=', id).executeTakeFirst())
    ?.title ?? ''

/** Changes the ring of circles on the home page in one transaction, so that concurrent changes do not mix. */
async function changeRing(
  app: AppServices,
  actor: string,
  change: (tx: Tx, circles: Circle[]) => Change | Promise<Change>,
  picture?: StoredImage,
): Promise<ActionOutcome> {
  const pictures = picture ? [picture] : []
  const result = await withPreparedImages(app, pictures, () =>
    inTransaction(app.db, async (tx) => {
      const before = await lockRing(tx)
      const changed = await change(tx, before)
      if ('refusal' in changed) return { outcome: changed.refusal, gone: pictures }
      const { circles, event } = changed
      if (!event) return { outcome: done(), gone: [] }
      if (picture) await app.images.keep(tx, picture)
      await writeCircles(tx, circles)
      await recordAuditEvent(tx, { ...event, at: app.now(), actor })
      const unused = before
        .map(({ pictureId }) => pictureId)
        .filter((id) => !circles.some(({ pictureId }) => pictureId === id))
      return {
        outcome: picture ? done(sceneFormTexts.saved) : done(),
        gone: await removePictureRows(tx, unused),
        isChanged: true,
      }
    }),
  )
  if (result.isChanged) app.live.changed('catalog')
  await deletePictureFiles(app, result.gone)
  return result.outcome
}

/** Locks the ring by locking the first category, because the ring itself may have no records yet. */
async function lockRing(tx: Tx): Promise<Circle[]> {
  const first = tx.selectFrom('categories').select((c) => c.fn.min('id').as('id'))
  await tx
    .updateTable('categories')
    .set((c) => ({ position: c.ref('position') }))
    .where('id', '=', first)
    .execute()
  const stored = await tx.selectFrom('showcase').select(['id', 'pictureId']).execute()
  const pictureIds = new Map(stored.map(({ id, pictureId }) => [id, pictureId]))
  const shown = await listCircles(tx)
  return shown.map(({ id, title, categoryId, deg }) => ({
    id,
    title,
    categoryId,
    deg,
    pictureId: pictureIds.get(id) ?? null,
  }))
}

async function writeCircles(tx: Tx, circles: Circle[]): Promise<void> {
  const ids = circles.map(({ id }) => id)
  await tx.deleteFrom('showcase').where('id', 'not in', ids).execute()
  for (const [position, circle] of circles.entries())
    await tx
      .insertInto('showcase')
      .values({ ...circle, position })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...circle, position }))
      .execute()
}
