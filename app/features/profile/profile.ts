/** A person's name and photo: their bounds and the texts of section 8 for changing them and the password. */
import { PLACEHOLDER_PHOTO } from '#app/features/orders/order.ts'
import { isOwnPath } from '#app/platform/own-path.ts'

/** As long as the account's table takes it from everybody else, too. */
export const MAX_NAME = 80

export const NAME_UNFIT = `A name has at most ${MAX_NAME} characters.`
export const PHOTO_FAILED = 'The photo could not be stored. Please try again.'

/** LOGIN-49 */
export const PROFILE_NOT_UPDATED = 'Unable to Update Profile'
/** LOGIN-51 */
export const PASSWORD_NOT_UPDATED = 'Unable to Update Password'

export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** S-009. A photo that lies elsewhere is none: pages show pictures of the shop alone (Content-Security-Policy). */
export const photoOf = (image: string | null): string => (image !== null && isOwnPath(image) ? image : PLACEHOLDER_PHOTO)
