import { isOwnPath } from '#lib/http/own-path.ts'

export const PLACEHOLDER_PHOTO = '/placeholder-photo.svg'

/** The Content-Security-Policy allows only images from the shop. [S-009] */
export const photoOf = (image: string | null) =>
  image !== null && isOwnPath(image) ? image : PLACEHOLDER_PHOTO
