/** The owner's buttons on the page of backups. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { backUp, checkArchive, deleteArchive, findArchive, recordBackupAct } from './backups.server.ts'
import { IS_BEGUN, IS_DELETED, IS_GONE, IS_MADE, IS_WHOLE } from './backup-texts.ts'
import { readArchiveName } from './archive.ts'

/** `checked`: what the check of one backup said. */
export type BackupsAnswer = Answer & { checked?: { name: string; isWhole: boolean; text: string } }
type Acted = { answer: BackupsAnswer; status: number }

/** A small shop's backup is there before she wonders; a large one's goes on while the page shows that it does. */
const PATIENCE = 8000

const refused = (error: string, status: number): Acted => ({ answer: { ok: false, error, toasts: [error] }, status })

export async function actOnBackups(shop: Shop, actor: string, form: FormData): Promise<Acted> {
  const intent = textOf(form, 'intent')
  if (intent === 'make') return make(shop, actor)
  const archive = await findArchive(shop, textOf(form, 'name'))
  if (!archive) return refused(IS_GONE, 404)
  if (intent === 'check') {
    const checked = await checkArchive(archive.path)
    const text = checked.ok ? IS_WHOLE(checked) : checked.error
    return { answer: { ok: checked.ok, checked: { name: archive.name, isWhole: checked.ok, text } }, status: checked.ok ? 200 : 422 }
  }
  if (intent !== 'delete' || textOf(form, 'confirm') !== 'Yes') return refused('Nothing was changed', 400)
  await deleteArchive(shop, actor, archive)
  return { answer: { ok: true, toasts: [IS_DELETED] }, status: 200 }
}

async function make(shop: Shop, actor: string): Promise<Acted> {
  const begun = backUp(shop, 'by-hand').then(async (done) => {
    if (done.ok) await recordBackupAct(shop, actor, 'make-backup', { name: done.name, at: readArchiveName(done.name)!.at })
    return done
  })
  // Told even if nobody waits for it any more.
  begun.catch((error: unknown) => shop.log.error('a backup could not be written down', error))
  const done = await Promise.race([begun, pause(PATIENCE, null, { ref: false })])
  if (done === null) return { answer: { ok: true, toasts: [IS_BEGUN] }, status: 202 }
  return done.ok ? { answer: { ok: true, toasts: [IS_MADE] }, status: 200 } : refused(done.error, 503)
}
