import { validateFile } from '#app/features/images/image-upload.ts'
import { readSettings, saveSettings } from '#app/features/settings/settings.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { normalizeUpload } from '#app/lib/images/normalize-upload.server.ts'
import { loadSharp } from '#app/lib/images/resize.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { type LogoFile, logoFiles, logoPath, type LogoRefusal, MIN_LOGO_SIDE } from './logo.ts'

/** The longer side of the stored logo has at most this many pixels. */
const MAX_LOGO_SIDE = 1024

type App = Pick<AppServices, 'db' | 'live' | 'log' | 'now' | 'storage'>
type LogoChange = { ok: true } | { ok: false; refusal: LogoRefusal }

const fileNames = Object.keys(logoFiles) as LogoFile[]

/** Replaces the logo. If the new logo cannot be stored, this function throws and the previous logo stays. */
export async function changeLogo(
  app: App,
  actor: string,
  file: FormDataEntryValue | null,
): Promise<LogoChange> {
  const refusal = validateFile(file)
  if (refusal || !(file instanceof File)) return { ok: false, refusal: refusal ?? 'no-file' }
  const picture = await normalizeUpload(new Uint8Array(await file.arrayBuffer()), {
    square: MAX_LOGO_SIDE,
  })
  if (!picture.ok) return picture
  if (Math.min(picture.width, picture.height) < MIN_LOGO_SIDE)
    return { ok: false, refusal: 'too-small' }
  const logo = newId15()
  try {
    for (const name of fileNames)
      await app.storage.put(logoPath(logo, name), await renderLogoFile(picture.bytes, name))
    await storeLogo(app, actor, logo)
  } catch (error) {
    await deleteFiles(app, logo)
    throw error
  }
  return { ok: true }
}

export const removeLogo = (app: App, actor: string): Promise<void> => storeLogo(app, actor, '')

async function storeLogo(app: App, actor: string, logo: string): Promise<void> {
  const now = app.now()
  const before = await inTransaction(app.db, async (tx) => {
    const stored = (await readSettings(tx)).logo
    await saveSettings(tx, { logo }, now)
    const detail = { before: { logo: stored }, after: { logo } }
    await recordAuditEvent(tx, { at: now, actor, act: 'change-settings', subject: '', detail })
    return stored
  })
  app.live.changed('settings')
  if (before !== '') await deleteFiles(app, before)
}

async function deleteFiles({ storage, log }: App, logo: string): Promise<void> {
  for (const name of fileNames)
    await storage
      .delete(logoPath(logo, name))
      .catch((error: unknown) =>
        log.error('a file of a logo could not be deleted', error, { path: logoPath(logo, name) }),
      )
}

/** Creates one of the logo's files. Transparent parts become white, so that the logo is visible in both themes. */
async function renderLogoFile(picture: Uint8Array, name: LogoFile): Promise<Uint8Array> {
  const { size, isMaskable } = logoFiles[name]
  const sharp = await loadSharp()
  const edge = isMaskable ? Math.round(size / 10) : 0
  const side = size - 2 * edge
  const opaque = await sharp(picture)
    .resize(side, side, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
  // The added edge has the color of the upper left corner of the logo.
  const corner = await sharp(opaque)
    .extract({ left: 0, top: 0, width: 1, height: 1 })
    .raw()
    .toBuffer()
  const background = { r: corner[0]!, g: corner[1]!, b: corner[2]! }
  const drawn = sharp(opaque).extend({
    top: edge,
    bottom: edge,
    left: edge,
    right: edge,
    background,
  })
  return name.endsWith('.webp')
    ? drawn.webp({ quality: 90 }).toBuffer()
    : drawn.png({ palette: true, quality: 95 }).toBuffer()
}
