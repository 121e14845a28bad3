import { isOwnPath } from '#app/platform/own-path.ts'

export const PLACEHOLDER_PHOTO = '/placeholder-photo.svg'

/** The Content-Security-Policy allows images from the shop only, so a photo hosted elsewhere becomes the placeholder. [S-009] */
export const photoOf = (image: string | null): string => (image !== null && isOwnPath(image) ? image : PLACEHOLDER_PHOTO)
