/** The maximum length of a name, whether it comes from the account page or from a provider. [S-217] */
export const MAX_NAME_LENGTH = 80

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 128

/** A longer password is refused without hashing it, because no account can have one. */
export const MAX_TYPED_PASSWORD_LENGTH = 1000
