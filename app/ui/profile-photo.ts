import { isOwnPath } from '#app/lib/http/own-path.ts'

export const PLACEHOLDER_PHOTO = '/placeholder-photo.svg'

/** The Content-Security-Policy allows only images from the shop, so the placeholder replaces an external photo. [S-009] */
export const photoOf = (image: string | null): string => (image !== null && isOwnPath(image) ? image : PLACEHOLDER_PHOTO)
