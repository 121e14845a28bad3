import { isOwnPath } from '#app/lib/http/own-path.ts'

export const PLACEHOLDER_PHOTO = '/placeholder-photo.svg'

/** Returns the placeholder for a photo on another site, because the Content-Security-Policy allows only images from the shop. [S-009] */
export const photoOf = (image: string | null): string =>
  image !== null && isOwnPath(image) ? image : PLACEHOLDER_PHOTO
