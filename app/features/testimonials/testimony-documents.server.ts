/** Testimonies in the shape of the specification's section 3 (S-134), prices in dollars. */
import type { Db } from '#db/tables.ts'

export type TestimonyDocument = {
  id: string
  writerid: string
  writerName: string
  writerEmail: string
  writerPhotoURL: string
  /** older ones hold only id and name (DATA-083) */
  items: { id: string; name: string; price?: number; salePrice?: number }[]
  testimony: string
  isAvailable: boolean
  isValidated: boolean
  showOnPage: boolean
  createdAt: number
}

const dollars = (cents: number | null) => (cents === null ? undefined : cents / 100)

/** DATA-073 to DATA-083, in the order of `ids`; those that are gone meanwhile are left out. */
export async function listTestimonyDocuments(db: Db, ids: readonly string[]): Promise<TestimonyDocument[]> {
  if (ids.length === 0) return []
  const testimonies = await db.selectFrom('testimonies').selectAll().where('id', 'in', ids).execute()
  const items = await db.selectFrom('testimonyItems').selectAll().where('testimonyId', 'in', ids).orderBy('position').execute()
  const rows = new Map(testimonies.map((row) => [row.id, row]))
  const itemsOf = Map.groupBy(items, (item) => item.testimonyId)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    if (!row) return []
    const { writerId, isAvailable, isValidated, showOnPage, receiptTag: _, writtenAt: __, ...rest } = row
    return {
      ...rest,
      writerid: writerId,
      items: (itemsOf.get(id) ?? []).map(({ itemId, name, priceCents, salePriceCents }) => ({
        id: itemId,
        name,
        price: dollars(priceCents),
        salePrice: dollars(salePriceCents),
      })),
      isAvailable: isAvailable === 1,
      isValidated: isValidated === 1,
      showOnPage: showOnPage === 1,
    }
  })
}
