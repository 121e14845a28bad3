import { validateFile } from '#images/image-upload.ts'
import { readSettings, saveSettings } from '#settings/settings.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { normalizeUpload } from '#lib/images/normalize-upload.server.ts'
import { loadSharp } from '#lib/images/resize.server.ts'
import { newId15 } from '#lib/text/ids.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import type { AppServices } from '#services/context.ts'
import { type LogoFile, logoFiles, logoPath, type LogoRefusal, MIN_LOGO_SIDE } from './logo.ts'

const MAX_LOGO_SIDE = 1024

type LogoChange = { ok: true } | { ok: false; refusal: LogoRefusal }

const fileNames = Object.keys(logoFiles) as LogoFile[]

/** Throws and keeps the previous logo if the new logo cannot be stored. */
export async function changeLogo(
  app: AppServices,
  actor: string,
  file: FormDataEntryValue | null,
): Promise<LogoChange> {
  const refusal = validateFile(file)
  if (refusal || !(file instanceof File)) return { ok: false, refusal: refusal ?? 'no-file' }
  const image = await normalizeUpload(new Uint8Array(await file.arrayBuffer()), {
    square: MAX_LOGO_SIDE,
  })
  if (!image.ok) return image
  if (Math.min(image.width, image.height) < MIN_LOGO_SIDE) {
    return { ok: false, refusal: 'too-small' }
  }
  const logo = newId15()
  try {
    for (const name of fileNames) {
      await app.storage.put(logoPath(logo, name), await renderLogoFile(image.bytes, name))
    }
    await storeLogo(app, actor, logo)
  } catch (error) {
    await deleteFiles(app, logo)
    throw error
  }
  return { ok: true }
}

export const removeLogo = (app: AppServices, actor: string) => storeLogo(app, actor, '')

async function storeLogo(app: AppServices, actor: string, logo: string) {
  const now = app.now()
  const before = await inTransaction(app.db, async (tx) => {
    const oldLogo = (await readSettings(tx)).logo
    await saveSettings(tx, { logo }, now)
    const detail = { before: { logo: oldLogo }, after: { logo } }
    await recordAuditEvent(tx, { at: now, actor, act: 'change-settings', subject: '', detail })
    return oldLogo
  })
  app.live.changed('settings')
  if (before !== '') await deleteFiles(app, before)
}

async function deleteFiles({ storage, log }: AppServices, logo: string) {
  for (const name of fileNames) {
    await storage
      .delete(logoPath(logo, name))
      .catch((error: unknown) =>
        log.error('a file of a logo could not be deleted', error, { path: logoPath(logo, name) }),
      )
  }
}

/** Fills transparent parts with white, so that the logo is visible in both themes. */
async function renderLogoFile(image: Uint8Array, name: LogoFile) {
  const { size, isMaskable } = logoFiles[name]
  const sharp = await loadSharp()
  const edge = isMaskable ? Math.round(size / 10) : 0
  const side = size - 2 * edge
  const opaque = await sharp(image)
    .resize(side, side, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .png()
    .toBuffer()
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
