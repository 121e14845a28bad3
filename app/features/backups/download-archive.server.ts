/** A backup on its way to the owner's own disk (S-268). */
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import { proveItsYou } from '#app/features/profile/prove-its-you.server.ts'
import type { User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { findArchive, recordBackupAct } from './backups.server.ts'
import { IS_GONE } from './backup-texts.ts'

export async function downloadArchive(asker: Asker, user: User, form: FormData): Promise<Response | { error: string; status: number }> {
  const archive = await findArchive(asker.shop, textOf(form, 'name'))
  if (!archive) return { error: IS_GONE, status: 404 }
  const proof = await proveItsYou(asker, user, form)
  if (!proof.ok) return proof
  const file = await open(archive.path, 'r')
  await recordBackupAct(asker.shop, user.id, 'download-backup', archive).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Length': String(archive.size),
      'Content-Disposition': `attachment; filename="${archive.name}"`,
      'Cache-Control': 'no-store',
    },
  })
}
