/** The page around a picture goes on; nobody may remember that it was missing (016). */
export const pictureLater = () =>
  new Response('This picture cannot be shown at the moment.', { status: 503, headers: { 'Cache-Control': 'no-store', 'Retry-After': '5' } })
