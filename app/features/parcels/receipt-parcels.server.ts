/** Reads the parcels of the accepted offers to which the sales of a receipt belong. */
import type { Db } from '#db/schema.ts'

/** Returns the offers for whose parcels the customer has given an address. [AGREE-99] */
export async function listAddressedOffers(db: Db, offerIds: readonly string[]): Promise<string[]> {
  if (offerIds.length === 0) return []
  const rows = await db
    .selectFrom('parcels')
    .select('offerId')
    .where('offerId', 'in', offerIds)
    .where('recipient', '!=', '')
    .execute()
  return rows.map(({ offerId }) => offerId)
}

/** Returns the name and address to which the agreed pieces are shipped, or null if the customer has typed no address. [AGREE-94] */
export async function findParcelAddress(
  db: Db,
  offerIds: readonly string[],
): Promise<{ name: string; address: string } | null> {
  if (offerIds.length === 0) return null
  const typed = db
    .selectFrom('parcels')
    .select(['recipient as name', 'address'])
    .where('offerId', 'in', offerIds)
  return (
    (await typed.where('address', '!=', '').orderBy('changedAt', 'desc').executeTakeFirst()) ?? null
  )
}
