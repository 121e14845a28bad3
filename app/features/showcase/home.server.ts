/** All that Home shows, from memory until the catalogue changes (040). */
import { listHomeColors } from '#app/features/catalog/colors.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { keep } from '#app/platform/kept.server.ts'
import { findWallpapers, listNewPieces, listPromoPictures, listShowcase } from './showcase.server.ts'

/** HOME-13, DATA-104; `isAll`: every colour, not just the first (S-025). */
export const readHome = (shop: Pick<Shop, 'db' | 'live'>, isAll: boolean) =>
  keep(shop, ['catalogue'], `home ${isAll}`, async () => {
    const { db } = shop
    const [showcase, colors, newPieces, promoPictures, wallpapers] = await Promise.all([
      listShowcase(db),
      listHomeColors(db, { isAll }),
      listNewPieces(db),
      listPromoPictures(db),
      findWallpapers(db),
    ])
    return { showcase, colors, newPieces, promoPictures, wallpapers }
  })
