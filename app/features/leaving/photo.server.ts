/** The photo of somebody who leaves. */
import { sql } from 'kysely'
import type { Tx } from '#db/tables.ts'
import type { FilesOfPicture } from '#app/platform/pictures.server.ts'
import { stemOfVariant } from '#app/platform/picture-widths.server.ts'
import { pathOfUrl } from '#app/features/uploads/picture-upload.ts'

/** Where else a photo may be shown. */
const places = [
  ['user', 'image'],
  ['orders', 'userPhotoURL'],
  ['sales', 'buyerPhotoURL'],
  ['testimonies', 'writerPhotoURL'],
] as const

/** Gives what must be deleted after the commit; nothing where others show the same picture, as after a move, or where it is none of ours. */
export async function takePhoto(tx: Tx, image: string | null): Promise<FilesOfPicture[]> {
  if (!image?.startsWith('/pictures/people/')) return []
  const stem = stemOfVariant(pathOfUrl(image))
  const begin = `/pictures/${stem}.`
  for (const [table, column] of places) {
    const other = await tx
      .selectFrom(table as 'user')
      .select('id')
      .where(sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(begin.length)}) = ${begin}`)
      .executeTakeFirst()
    if (other) return []
  }
  return tx
    .deleteFrom('pictures')
    .where(({ or, eb }) => or(['jpg', 'png', 'webp', 'avif', 'gif'].map((ending) => eb('path', '=', `${stem}.${ending}`))))
    .returning(['path', 'widths', 'state'])
    .execute()
}
