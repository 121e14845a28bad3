/** Keeps the checks of uploaded tables for an hour, each in a folder of its own in the data folder; the uploaded file itself is not kept. */
import { mkdir, open, readdir, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Shop } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { PLAN_PAGE, planLists, type Applied, type ChangeLine, type Plan, type PlanList, type RefusedLine } from './import-plan.ts'

const HOUR = 3_600_000
/** The time it was made at, and what nobody can guess. */
const isPlanId = (id: string) => /^\d{13}-[A-Za-z0-9]{22}$/.test(id)
const isOver = (id: string, now: number) => Number(id.slice(0, 13)) < now - HOUR

const folderOf = (shop: Shop, id: string) => join(shop.tablesDir, id)
type Line = { changes: ChangeLine; refused: RefusedLine }
/** Where each page of a list begins in its file, in bytes, and where the last one ends. */
type Index = Record<PlanList, number[]>

export type PlanWriter = {
  id: string
  add: <List extends PlanList>(list: List, lines: readonly Line[List][]) => Promise<void>
  finish: (plan: Plan) => Promise<void>
  /** Nothing of it is kept. */
  drop: () => Promise<void>
}

export async function beginPlan(shop: Shop): Promise<PlanWriter> {
  const id = `${String(shop.now()).padStart(13, '0')}-${newSecretId()}`
  const folder = folderOf(shop, id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lists = {} as Record<PlanList, { file: FileHandle; starts: number[]; lines: number; bytes: number }>
  for (const list of planLists) lists[list] = { file: await open(join(folder, list), 'a', 0o600), starts: [], lines: 0, bytes: 0 }
  const close = () => Promise.all(planLists.map((list) => lists[list].file.close()))
  return {
    id,
    async add(list, lines) {
      const into = lists[list]
      let text = ''
      for (const line of lines) {
        const written = `${JSON.stringify(line)}\n`
        if (into.lines % PLAN_PAGE === 0) into.starts.push(into.bytes)
        into.lines += 1
        into.bytes += Buffer.byteLength(written)
        text += written
      }
      if (text !== '') await into.file.appendFile(text)
    },
    async finish(plan) {
      await close()
      const index: Index = {
        changes: [...lists.changes.starts, lists.changes.bytes],
        refused: [...lists.refused.starts, lists.refused.bytes],
      }
      await writeFile(join(folder, 'index'), JSON.stringify(index), { mode: 0o600 })
      // Last, so that a plan which can be found is whole.
      await writeFile(join(folder, 'plan'), JSON.stringify(plan), { mode: 0o600 })
    },
    async drop() {
      await close().catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** null: there is none such, or its hour is over. */
export async function findPlan(shop: Shop, id: string): Promise<{ plan: Plan; applied: Applied | null } | null> {
  if (!isPlanId(id) || isOver(id, shop.now())) return null
  const plan = await readJson<Plan>(join(folderOf(shop, id), 'plan'))
  return plan && { plan, applied: await readJson<Applied>(join(folderOf(shop, id), 'applied')) }
}

async function readJson<T>(path: string): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : (JSON.parse(text) as T)
}

/** The first that tells what became of a plan is believed. */
export const keepApplied = (shop: Shop, id: string, applied: Applied): Promise<void> =>
  writeFile(join(folderOf(shop, id), 'applied'), JSON.stringify(applied), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )

/** Pages count from 1. */
export async function readPlanPage<List extends PlanList>(shop: Shop, id: string, list: List, page: number): Promise<Line[List][]> {
  const lines: Line[List][] = []
  for await (const found of planPages(shop, id, list, page)) lines.push(...found)
  return lines
}

/** One page of a list after the other, or `only` one. */
export async function* planPages<List extends PlanList>(shop: Shop, id: string, list: List, only?: number): AsyncGenerator<Line[List][]> {
  const index = await readJson<Index>(join(folderOf(shop, id), 'index'))
  const starts = index?.[list] ?? []
  const file = await open(join(folderOf(shop, id), list), 'r')
  try {
    for (let page = only ?? 1; page <= (only ?? starts.length - 1); page++) {
      const [start, end] = [starts[page - 1], starts[page]]
      if (start === undefined || end === undefined) return
      const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
      yield buffer
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line[List])
    }
  } finally {
    await file.close()
  }
}

/** Checks whose hour is over go, whether they were applied or not. */
export async function sweepPlans(shop: Shop): Promise<void> {
  const names = await readdir(shop.tablesDir).catch(() => [])
  for (const name of names.filter(isPlanId)) if (isOver(name, shop.now())) await rm(folderOf(shop, name), { recursive: true, force: true })
}
