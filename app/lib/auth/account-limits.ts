/** The maximum length of a name, whether it comes from the account page or from a provider. [S-217] */
export const MAX_NAME_LENGTH = 80

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 128

/** Such a password is longer than any that the shop accepts, so it is not worth hashing. */
export const MAX_TYPED_PASSWORD_LENGTH = 1000
