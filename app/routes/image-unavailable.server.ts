import { uploadTexts } from '#app/features/images/texts.ts'

/** Browsers must not cache this response, because the outage of the storage is temporary. */
export const imageUnavailable = () =>
  new Response(uploadTexts.unavailable, {
    status: 503,
    headers: { 'Cache-Control': 'no-store', 'Retry-After': '5' },
  })
