/** Files and rows of pictures belong together; this finds what does not, and takes away what nobody will ask for again. */
import type { Shop } from '#app/platform/context.ts'
import { photoStemOf } from '#app/platform/picture-types.ts'
import { regularly } from '#app/platform/regularly.server.ts'
import { filesOf, stemOfVariant } from '#app/platform/picture-widths.server.ts'
import { sweepUploads } from './edit-pictures.server.ts'

const DAY = 86_400_000
/** FILES-01 to FILES-03, 025, 034. Nothing else is touched: the faces and scenes that came with the shop are named by other tables and texts, share/ keeps its own order. */
const isNamedByRow = (path: string): boolean => /^(items|colors|category|chat)\//.test(path) || photoStemOf(path) !== null
/** What a killed process has begun to write; it has no name yet. */
const isUnfinished = (path: string): boolean => path.endsWith('.part')

/** A crash leaves a handful. More, or a shop without any picture, looks like files beside another database, or beside an old copy of it. */
const MOST_AT_ONCE = 40

export type Orphans = {
  /** files that no row names */
  files: { path: string; changedAt: number }[]
  /** files that a row names and that are not there */
  missing: string[]
  /** how many files rows name */
  named: number
}

/** Both directions. A picture whose widths are being made may have some of them already. */
export async function listOrphans({ files, db }: Pick<Shop, 'files' | 'db'>): Promise<Orphans> {
  // Files first: one whose row is written meanwhile then has it.
  const stored = await files.list()
  const rows = await db.selectFrom('pictures').select(['path', 'widths', 'state']).execute()
  const named = new Set(rows.flatMap(filesOf))
  const inWork = new Set(rows.filter((row) => row.state === 'waiting').map((row) => stemOfVariant(row.path)))
  const isNamed = (path: string) => named.has(path) || (inWork.has(stemOfVariant(path)) && /\.\d+\.(webp|avif)$/.test(path))
  const there = new Set(stored.map(({ path }) => path))
  return {
    files: stored.filter(({ path }) => isUnfinished(path) || (isNamedByRow(path) && !isNamed(path))),
    missing: [...named].filter((path) => !there.has(path)),
    named: named.size,
  }
}

/** S-095: what nothing names goes once it is a day old: what is younger may belong to a form that is being sent. */
export async function sweepPictures(shop: Shop): Promise<void> {
  await sweepUploads(shop)
  const { files, missing, named } = await listOrphans(shop)
  if (missing.length > 0) shop.log.error('pictures have lost files', undefined, { count: missing.length, first: missing.slice(0, 5) })
  const old = files.filter(({ changedAt }) => changedAt < shop.now() - DAY)
  if (old.length > MOST_AT_ONCE || (named === 0 && old.length > 0)) {
    shop.log.error('files without a picture stay: too many for a crash', undefined, { count: old.length, named })
    return
  }
  let gone = 0
  for (const { path } of old)
    await shop.files.delete(path).then(
      () => (gone += 1),
      (error: unknown) => shop.log.error('a file without a picture could not be deleted', error, { path }),
    )
  if (gone > 0) shop.log.info('files without a picture were deleted', { count: gone })
}

/** Now and every day; gives what stops it. */
export const startSweeping = (shop: Shop): (() => Promise<void>) =>
  regularly({ every: DAY, failure: 'pictures could not be swept', log: shop.log, isBegunNow: true }, () => sweepPictures(shop))
