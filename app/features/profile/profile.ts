/** A person's name and photo: their bounds and the texts of section 8 for changing them and the password. */

/** As long as the account's table takes it from everybody else, too. */
export const MAX_NAME = 80

export const NAME_UNFIT = `A name has at most ${MAX_NAME} characters.`
export const PHOTO_FAILED = 'The photo could not be stored. Please try again.'

/** LOGIN-49 */
export const PROFILE_NOT_UPDATED = 'Unable to Update Profile'
/** LOGIN-51 */
export const PASSWORD_NOT_UPDATED = 'Unable to Update Password'
