/** Who uses a picture, and who may take it away: after an import several may share one. */
import type { ExpressionBuilder } from 'kysely'
import type { Tables, Tx } from '#db/tables.ts'
import type { FilesOfPicture } from '#app/platform/pictures.server.ts'

/**
 * Neither an item nor a colour, a category, the ring of the first page or a message shows it. Colours, categories and the ring are few; to items
 * and messages an index leads from the picture.
 */
export const isUnused = ({ and, eb, exists, not, selectFrom }: ExpressionBuilder<Tables, 'pictures'>) =>
  and([
    ...(['colors', 'categories', 'showcase'] as const).map((table) =>
      eb(
        'pictures.id',
        'not in',
        selectFrom(table as 'colors')
          .select('pictureId')
          .where('pictureId', 'is not', null)
          .$narrowType<{ pictureId: string }>(),
      ),
    ),
    ...(['itemPictures', 'messagePictures', 'chatUploads'] as const).map((table) =>
      not(
        exists(
          selectFrom(table as 'messagePictures')
            .select(`${table as 'messagePictures'}.pictureId`)
            .whereRef(`${table as 'messagePictures'}.pictureId`, '=', 'pictures.id'),
        ),
      ),
    ),
  ])

const inOrder = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))].sort()

/**
 * Whoever hangs a picture somewhere, or takes it away, comes first to its row: of two at once the second sees what the first has done. One by
 * one and in one order, so that two of them never wait for each other.
 */
export async function lockPictures(tx: Tx, ids: readonly (string | null)[]): Promise<void> {
  for (const id of inOrder(ids))
    await tx
      .updateTable('pictures')
      .set(({ ref }) => ({ path: ref('path') }))
      .where('id', '=', id)
      .execute()
}

/** Takes the rows of pictures that nothing uses any more out of the tables, and gives back whose files must go after the commit. */
export async function removePictureRows(tx: Tx, ids: readonly (string | null)[]): Promise<FilesOfPicture[]> {
  await lockPictures(tx, ids)
  const gone: FilesOfPicture[] = []
  for (const id of inOrder(ids))
    gone.push(...(await tx.deleteFrom('pictures').where('id', '=', id).where(isUnused).returning(['path', 'widths', 'state']).execute()))
  return gone
}
