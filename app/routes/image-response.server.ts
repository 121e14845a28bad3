import { uploadTexts } from '#images/texts.ts'
import { contentTypeOf } from '#lib/images/content-type.ts'
import { readForResponse } from '#lib/storage/storage.server.ts'
import type { AppServices } from '#services/context.ts'

export async function imageResponse(
  { storage, log }: Pick<AppServices, 'storage' | 'log'>,
  path: string,
  headers: Record<string, string>,
) {
  const file = await readForResponse(storage, path).catch((error: unknown) => {
    log.error('an image could not be read', error)
    return 'failed' as const
  })
  if (file === 'failed') return imageUnavailable()
  if (!file) return imageMissing()
  return new Response(file.body, {
    headers: {
      ...headers,
      'Content-Type': contentTypeOf(path) ?? '',
      'Content-Length': String(file.size),
    },
  })
}

export const imageMissing = () =>
  new Response(uploadTexts.noImage, { status: 404, headers: { 'Cache-Control': 'no-store' } })

export const imageUnavailable = () =>
  new Response(uploadTexts.unavailable, {
    status: 503,
    headers: { 'Cache-Control': 'no-store', 'Retry-After': '5' },
  })
