import { changePhoto } from '#app/features/auth/profile-photo.server.ts'
import { MAX_IMAGE_BYTES } from '#app/services/image-paths.ts'
import type { AppServices } from '#app/services/context.ts'

const TIMEOUT_MS = 8000

/** Imports the photo of a new account in the background, if the provider has sent one. */
export const beginPhotoImport = (app: AppServices, userId: string, url: string | null) =>
  url !== null &&
  app.backgroundTasks.begin('a photo could not be imported from a provider', () =>
    importPhoto(app, userId, url),
  )

/** Downloads the photo of a user who has just registered with a provider, and stores it like an uploaded photo. Follows no redirects, because they could lead to another server. Throws if the download fails. [S-209] */
async function importPhoto(app: AppServices, userId: string, url: string): Promise<void> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok || !response.body)
    throw new Error(`the provider responded with ${response.status}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const part of response.body) {
    bytes += part.byteLength
    if (bytes > MAX_IMAGE_BYTES) throw new Error(`the photo has more than ${MAX_IMAGE_BYTES} bytes`)
    parts.push(part)
  }
  const changed = await changePhoto(
    app,
    { id: userId },
    new File(parts, 'photo', { type: response.headers.get('content-type') ?? '' }),
  )
  if (!changed.ok) throw new Error(`the photo was refused: ${changed.refusal}`)
}
