/** A discount over a thousand items and its undo, held against a hundred; and the history with a hundred thousand acts against one with few. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteDatabase } from '../app/platform/db.server.ts'
import { migrate } from '../db/migrate.ts'
import type { Db } from '../db/tables.ts'
import { signIn } from './customer.ts'
import { median, ms, times } from './figures.ts'
import { OWNER, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const [MANY, FEW, ACTS] = [1000, 100, 100_000]
const ROUNDS = 7
const PART = 500

export async function measureDiscounts({ folder, say }: Bench): Promise<WorkFigure[]> {
  say(`discounts: ${MANY} items at once, and ${ACTS} acts in the history`)
  const dataDir = join(folder, 'discounts')
  await mkdir(dataDir, { recursive: true })
  await fillShop(dataDir)
  const shop = await serveShop(dataDir)
  try {
    const { cookie } = await signIn(shop.origin, OWNER)
    const ask = async (path: string, form?: Record<string, string>): Promise<{ time: number; text: string }> => {
      const body = form && new URLSearchParams(form)
      const begun = performance.now()
      const answer = await fetch(shop.origin + path, { headers: { cookie, origin: shop.origin }, ...(body && { method: 'POST', body }) })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} answers ${answer.status}`)
      return { time: performance.now() - begun, text }
    }
    const change = async (name: string, count: number) => {
      const applied: number[] = []
      const undone: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const data = `/manage/discount/_.data?name=${name}`
        const yes = { intent: 'items-apply', type: 'percent', value: '10', all: 'on', confirm: 'Yes', count: String(count), free: '0' }
        applied.push((await ask(data, yes)).time)
        const seq = /name="seq"[^>]*value="(\d+)"/.exec((await ask('/manage/discount/')).text)?.[1]
        undone.push((await ask(data, { intent: 'undo', seq: seq ?? '' })).time)
      }
      return { applied: median(applied), undone: median(undone) }
    }
    const few = await change('few', FEW)
    const many = await change('thing', MANY)
    const page = async (path: string) => {
      const took: number[] = []
      for (let round = 0; round < ROUNDS; round++) took.push((await ask(path)).time)
      return median(took)
    }
    const history = await page('/manage/history/')
    const found = await page('/manage/history/?name=needle')
    const perItem = (one: number, other: number) => times(one / MANY, other / FEW)
    return [
      row(`A discount over ${MANY} items`, many.applied, `${FEW} items`, few.applied, perItem(many.applied, few.applied)),
      row(`Its undo`, many.undone, `${FEW} items`, few.undone, perItem(many.undone, few.undone)),
      row(
        `The oldest by its name, among ${ACTS.toLocaleString('en-US')} acts of the history`,
        found,
        'the newest',
        history,
        times(found, history),
      ),
    ]
  } finally {
    await shop.stop()
  }
}

const row = (what: string, time: number, beside: string, other: number, ratio: string): WorkFigure => ({
  what,
  found: `${ms(time)} ms`,
  beside: `${beside}: ${ms(other)} ms`,
  ratio: beside === 'the newest' ? ratio : `${ratio} per item`,
})

async function fillShop(dataDir: string): Promise<void> {
  const { db, dialect, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  const stamps = { createdAt: 1, firstCreatedAt: 1 }
  await db
    .insertInto('categories')
    .values({ id: 'all', title: 'All', color: '#c98a5e', pictureId: null, position: 0, ...stamps })
    .execute()
  const texts = {
    categoryId: 'all',
    description: '',
    width: '',
    soleType: '',
    size: '',
    discountType: null,
    discountValue: null,
    ...stamps,
  }
  const items = Array.from({ length: MANY }, (_, at) => ({
    ...texts,
    id: `i${at}`,
    name: `${at < FEW ? 'Few ' : ''}Thing ${at}`,
    priceCents: 1000 + at,
  }))
  const acts = Array.from({ length: ACTS }, (_, at) => ({
    at,
    actor: 'owner',
    act: 'update-item',
    subject: `i${at}`,
    detail: '{}',
    name: `Thing ${at}`,
    words: `thing ${at}`,
  }))
  const rare = { at: 1, actor: 'owner', act: 'try-letter-again', subject: 'l', detail: '{}', name: 'Needle', words: 'needle' }
  await inParts(db, [rare, ...acts], (tx, part) => tx.insertInto('audit').values(part).execute())
  await inParts(db, items, (tx, part) => tx.insertInto('items').values(part).execute())
  await close()
}

const inParts = <Row>(db: Db, rows: readonly Row[], write: (tx: Db, part: Row[]) => Promise<unknown>) =>
  db.transaction().execute(async (tx) => {
    for (let at = 0; at < rows.length; at += PART) await write(tx, rows.slice(at, at + PART))
  })
