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

/** DATA-073 to DATA-083 */
export async function listTestimonyDocuments(db: Db): Promise<TestimonyDocument[]> {
  const [testimonies, items] = await Promise.all([
    db
      .selectFrom('testimonies')
      .select([
        'id',
        'writerId',
        'writerName',
        'writerEmail',
        'writerPhotoURL',
        'testimony',
        'isAvailable',
        'isValidated',
        'showOnPage',
        'createdAt',
      ])
      .orderBy('createdAt', 'desc')
      .execute(),
    db.selectFrom('testimonyItems').selectAll().orderBy('position').execute(),
  ])
  const itemsOf = Map.groupBy(items, (item) => item.testimonyId)
  return testimonies.map(({ writerId, isAvailable, isValidated, showOnPage, ...rest }) => ({
    ...rest,
    writerid: writerId,
    items: (itemsOf.get(rest.id) ?? []).map(({ itemId, name, priceCents, salePriceCents }) => ({
      id: itemId,
      name,
      price: dollars(priceCents),
      salePrice: dollars(salePriceCents),
    })),
    isAvailable: isAvailable === 1,
    isValidated: isValidated === 1,
    showOnPage: showOnPage === 1,
  }))
}
