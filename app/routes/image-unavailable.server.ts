import { uploadTexts } from '#app/features/images/texts.ts'

/** Must not be cached, because the outage is temporary. */
export const imageUnavailable = () =>
  new Response(uploadTexts.unavailable, { status: 503, headers: { 'Cache-Control': 'no-store', 'Retry-After': '5' } })
